export interface Moon {
  name: string
  planet: string
  radiusKm: number
  periodDays: number
  discovered: number
}

export const moons: Array<Moon> = [
  { name: 'Io', planet: 'Jupiter', radiusKm: 1822, periodDays: 1.77, discovered: 1610 },
  { name: 'Europa', planet: 'Jupiter', radiusKm: 1561, periodDays: 3.55, discovered: 1610 },
  { name: 'Ganymede', planet: 'Jupiter', radiusKm: 2634, periodDays: 7.15, discovered: 1610 },
  { name: 'Callisto', planet: 'Jupiter', radiusKm: 2410, periodDays: 16.69, discovered: 1610 },
  { name: 'Titan', planet: 'Saturn', radiusKm: 2575, periodDays: 15.95, discovered: 1655 },
  { name: 'Enceladus', planet: 'Saturn', radiusKm: 252, periodDays: 1.37, discovered: 1789 },
  { name: 'Titania', planet: 'Uranus', radiusKm: 789, periodDays: 8.71, discovered: 1787 },
  { name: 'Triton', planet: 'Neptune', radiusKm: 1353, periodDays: 5.88, discovered: 1846 },
]
