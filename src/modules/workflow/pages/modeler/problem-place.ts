/** Ids that a refusal of a model may be about, the likeliest first: those it names, then those written above its line. */
export function placesOf(message: string, xml: string): string[] {
  const line = Number(/第(\d+)行/.exec(message)?.[1] ?? 0)
  const idsOf = (text: string): string[] => [...text.matchAll(/\bid="([^"]+)"/g)].map(([, id = '']) => id)
  const above = xml.split('\n').slice(0, line).toReversed().flatMap(idsOf)
  const named = above.concat(idsOf(xml)).filter(id => message.includes(id))
  return [...new Set([...named.toSorted((a, b) => b.length - a.length), ...above])]
}
