// Stands in for a server; every answer takes a moment.

export interface SignUp {
  name: string
  email: string
  seats: number
}

const taken = new Set(['ada@example.com'])

const pause = () => new Promise<void>((resolve) => setTimeout(resolve, 600))

export async function isTaken(email: string): Promise<boolean> {
  await pause()
  return taken.has(email.toLowerCase())
}

export async function signUp(entry: SignUp): Promise<void> {
  await pause()
  taken.add(entry.email.toLowerCase())
}
