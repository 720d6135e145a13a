/** Stands in for a request. It takes a while, and one attempt in three fails. */
export async function upload(file: File, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, 500 + Math.random() * 1500)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(new Error('stopped'))
    })
  })
  if (Math.random() < 1 / 3) throw new Error(`${file.name} got lost on the way`)
}
