// Lines of code that an address marks: `#L10`, or `#L10-L20`.

export interface Lines {
  from: number
  to: number
}

const MARKED = /^#L(\d{1,6})(?:-L(\d{1,6}))?$/

export function linesOf(hash: string): Lines | null {
  const found = MARKED.exec(hash)
  if (!found) return null
  const [one = 0, other = one] = [found[1], found[2]].filter(Boolean).map(Number)
  return one > 0 && other > 0 ? { from: Math.min(one, other), to: Math.max(one, other) } : null
}

export function hashOf({ from, to }: Lines): string {
  return from === to ? `#L${from}` : `#L${from}-L${to}`
}

/** Stands after the code: a range is marked, and scrolled to, before the app is there. One line the browser does alone. */
export const LINES_SCRIPT = `(function(){
var m=/^#L(\\d{1,6})-L(\\d{1,6})$/.exec(location.hash),from=m&&Math.min(m[1],m[2]),source=document.querySelector(".source"),line=document.getElementById("L"+from);
if(!source||!line)return;
source.dataset.marked="";
source.style.setProperty("--from",from);
source.style.setProperty("--count",Math.max(m[1],m[2])-from+1);
line.scrollIntoView({block:"center"})
})()`
