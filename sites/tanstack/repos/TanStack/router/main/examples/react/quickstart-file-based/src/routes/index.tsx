import { Link, createFileRoute } from '@tanstack/react-router'

export const Route = createFileRoute('/')({
  component: Home,
})

function Home() {
  return (
    <>
      <h1>Trail guide</h1>
      <p>
        Short of time? Here are the{' '}
        <Link to="/trails" search={{ grade: 'easy' }}>
          easy ones
        </Link>
        . Looking for trouble?{' '}
        <Link to="/trails/$trailId" params={{ trailId: 'salt-ridge' }}>
          Salt Ridge
        </Link>
        .
      </p>
    </>
  )
}
