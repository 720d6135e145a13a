// Line ranges in a hash: `#L10` or `#L10-L20`.

export interface LineRange {
  from: number
  to: number
}

const LINE_HASH = /^#L(\d{1,6})(?:-L(\d{1,6}))?$/

export function parseLineHash(hash: string): LineRange | null {
  const found = LINE_HASH.exec(hash)
  if (!found) return null
  const [one = 0, other = one] = [found[1], found[2]].filter(Boolean).map(Number)
  return one > 0 && other > 0 ? { from: Math.min(one, other), to: Math.max(one, other) } : null
}

export function formatLineHash({ from, to }: LineRange): string {
  return from === to ? `#L${from}` : `#L${from}-L${to}`
}

/** Placed after the code: highlights a range and scrolls to it before hydration. For one line CSS `:target` suffices. */
export const LINES_SCRIPT = `(function(){
var m=/^#L(\\d{1,6})-L(\\d{1,6})$/.exec(location.hash),from=m&&Math.min(m[1],m[2]),source=document.querySelector(".example-code"),line=document.getElementById("L"+from);
if(!source||!line)return;
source.dataset.marked="";
source.style.setProperty("--from",from);
source.style.setProperty("--count",Math.max(m[1],m[2])-from+1);
line.scrollIntoView({block:"center"})
})()`
