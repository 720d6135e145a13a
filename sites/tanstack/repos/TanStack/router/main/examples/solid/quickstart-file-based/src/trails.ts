// Stands in for a server: the same functions could call `fetch`.

export const GRADES = ['easy', 'moderate', 'hard'] as const

export type Grade = (typeof GRADES)[number]

export interface Trail {
  id: string
  name: string
  grade: Grade
  km: number
  about: string
}

const TRAILS: Array<Trail> = [
  { id: 'mill-loop', name: 'Mill Loop', grade: 'easy', km: 5, about: 'Along the stream, past two old mills.' },
  { id: 'salt-ridge', name: 'Salt Ridge', grade: 'hard', km: 21, about: 'Exposed, windy, and worth every step.' },
  { id: 'fern-valley', name: 'Fern Valley', grade: 'moderate', km: 12, about: 'Green even in August.' },
  { id: 'lamp-lake', name: 'Lamp Lake', grade: 'easy', km: 8, about: 'Bring a towel.' },
  { id: 'three-huts', name: 'Three Huts', grade: 'hard', km: 33, about: 'Two days, with soup in between.' },
]

const pause = () => new Promise<void>((resolve) => setTimeout(resolve, 300))

export async function fetchTrails(grade: Grade | undefined): Promise<Array<Trail>> {
  await pause()
  return TRAILS.filter((trail) => grade === undefined || trail.grade === grade)
}

export async function fetchTrail(id: string): Promise<Trail | undefined> {
  await pause()
  return TRAILS.find((trail) => trail.id === id)
}
