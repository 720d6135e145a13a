import App from './App.svelte'
import './index.css'

const target = document.getElementById('app')
if (!target) throw new Error('index.html has no #app element')

new App({ target })
