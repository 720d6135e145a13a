export const birds = [
  'Barn owl',
  'Barn swallow',
  'Black redstart',
  'Blackbird',
  'Blue tit',
  'Chaffinch',
  'Collared dove',
  'Common buzzard',
  'Common kingfisher',
  'Common redstart',
  'Crested tit',
  'Eurasian wren',
  'Firecrest',
  'Goldcrest',
  'Goldfinch',
  'Great tit',
  'Green woodpecker',
  'Gray heron',
  'Hoopoe',
  'House sparrow',
  'Long-tailed tit',
  'Nuthatch',
  'Robin',
  'Song thrush',
  'Tawny owl',
  'White stork',
]

/** Stands in for a request: each call is one you would have paid for. */
export function findBirds(query: string): Array<string> {
  const wanted = query.trim().toLowerCase()
  return birds.filter((bird) => bird.toLowerCase().includes(wanted))
}
