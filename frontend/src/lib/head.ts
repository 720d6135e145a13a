// The script that stands inline in every page's head: what the reader chose earlier, before anything is painted.
// It is one constant text, so that the content security policy can name it by its digest.
import { FRAMEWORK_CHANGED, THEME_CHANGED } from './events'

/** What the inline script puts on `window`, and what the starter and the app add to it. */
export interface Kinfolk {
  /** True once React has taken over the page. */
  hydrated: boolean
  mode: 'auto' | 'light' | 'dark'
  /** What the reader chose earlier. Storage may be forbidden; then a choice lasts as long as the page. */
  read(key: string): string | null | undefined
  write(key: string, value: string): void
  /** Shows the page in this mode and remembers it. */
  setMode(mode: Kinfolk['mode']): void
  /** Shows the panels of this framework and remembers it. */
  setFramework(framework: string): void
  /** Applies earlier choices to what stands in the page now; may be called again and again. */
  settle(): void
  /** Scrolls the menu, never the page, to where the reader left it or to the page they read. */
  reveal(): void
  /** What the reader has typed since they wanted to search, until the box for it is there. */
  searching?: string
  /** Settled when the app is there, or cannot be. */
  started?: Promise<void>
  /** What the app can do, once it is there. */
  app?: { navigate(href: string): void; preload(href: string): void; retry(): void }
}

// Where choices are kept. Plain constants, so that each file has its own copy and the starter shares none with the app.

/** And a library: which groups of its menu the reader opened or closed, `{"Guides": false}`. */
export const GROUPS = 'groups:'
/** And a library: until when the notice about old docs stays hidden, in milliseconds since 1970. */
export const NOTICE = 'notice:'
/** And a kind of tabs: the chosen one. */
export const TABS = 'tabs:'
export const WIDTH = 'width'
/** Whether scripts of others may be loaded: yes or no. */
export const CONSENT = 'consent'
/** And a library, in the session's storage: how far its menu was scrolled. */
export const MENU_SCROLL = 'menu:'
/** In the session's storage: how far pages were scrolled, where the router looks for it. */
export const SCROLLED = 'tsr-scroll-restoration-v1_3'

/** Where an address names the framework that its page is about: a pattern, without a backslash to stand in a script's text. */
export const FRAMEWORK_AT = '/docs/framework/([A-Za-z0-9_-]+)'

/** Tabs whose choice is the reader's framework. */
export const FRAMEWORK = 'framework'
/** Tabs whose choice means the same on every page. */
export const REMEMBERED_TABS = 'package-manager bundler'

export const HEAD_SCRIPT = `(function(){
var root=document.documentElement,dark=matchMedia("(prefers-color-scheme: dark)"),kept={},sheet,placed;
function read(key){try{return localStorage.getItem(key)}catch(e){return kept[key]}}
function write(key,value){kept[key]=value;try{localStorage.setItem(key,value)}catch(e){}}
function each(query,act){document.querySelectorAll(query).forEach(act)}
function check(kind,tab){if(tab)each('.tabs[data-tabs="'+kind+'"] > input',function(input){if(input.dataset.tab==tab)input.checked=true})}
function set(name,value){if(root.dataset[name]!=value)root.dataset[name]=value}
function tell(name){document.dispatchEvent(new Event(name))}
var k=window.__kinfolk={hydrated:false,mode:"auto",read:read,write:write,setMode:function(mode){
k.mode=mode;write("theme",mode);show()},setFramework:function(fw){
if(!/^[\\w-]+$/.test(fw))return;
write("framework",fw);
if(root.dataset.framework===fw)return;
root.dataset.framework=fw;
var own='[data-framework="'+fw+'"]',css=".framework-block:has(> "+own+") > section{display:none}.framework-block > "+own+"{display:block!important}.toc:has("+own+") [data-framework]{display:none}.toc "+own+"{display:block!important}";
if(!sheet){sheet=document.createElement("style");document.head.append(sheet)}
sheet.textContent=css;
check("${FRAMEWORK}",fw);
tell("${FRAMEWORK_CHANGED}")},settle:function(){
var library=location.pathname.split("/")[1],groups={};
set("notice",read("${NOTICE}"+library)>Date.now()?"hidden":"shown");
set("width",read("${WIDTH}")=="wide"?"wide":"comfortable");
each("[data-width-toggle]",function(button){button.setAttribute("aria-pressed",root.dataset.width=="wide")});
"${REMEMBERED_TABS}".split(" ").forEach(function(kind){check(kind,read("${TABS}"+kind))});
check("${FRAMEWORK}",root.dataset.framework);
try{groups=JSON.parse(read("${GROUPS}"+library))||{}}catch(e){}
each("[data-group]",function(group){if(group.dataset.group in groups)group.open=groups[group.dataset.group]})},reveal:function(){
each("[data-menu]",function(menu){
var library=location.pathname.split("/")[1];
if(!placed){placed=true;try{menu.scrollTop=sessionStorage.getItem("${MENU_SCROLL}"+library)}catch(e){}}
var item=menu.querySelector('[aria-current="page"]');
if(!item)return;
var at=(item.closest("details:not([open])")||item).getBoundingClientRect(),box=menu.getBoundingClientRect();
if(at.top<box.top||at.bottom>box.bottom-16)menu.scrollTop+=at.top-box.top-box.height/3})}};
function show(){root.dataset.theme=k.mode;root.classList.toggle("dark",k.mode=="dark"||k.mode=="auto"&&dark.matches);tell("${THEME_CHANGED}")}
var mode=read("theme")||(/(?:^|; )theme=(\\w+)/.exec(document.cookie)||[])[1];
if(mode=="light"||mode=="dark")k.mode=mode;
show();
set("keys",/Mac|iP/.test(navigator.platform)?"mac":"pc");
dark.addEventListener("change",show);
var fw=(location.pathname.match("${FRAMEWORK_AT}")||[])[1]||read("framework");
if(fw)k.setFramework(fw);
if(!location.hash&&(performance.getEntriesByType("navigation")[0]||{}).type=="navigate"){
set("begins","");
addEventListener("load",function(){setTimeout(function(){delete root.dataset.begins},1e3)})}
k.settle()
})()`

/** Stands after what it settles, so that this is done before it is painted. */
export const SETTLE_SCRIPT = '__kinfolk.settle()'

/** Stands after the menu. */
export const MENU_SCRIPT = `${SETTLE_SCRIPT};__kinfolk.reveal()`

declare global {
  interface Window {
    __kinfolk: Kinfolk
  }
}
