/**
 * Measures all subjects in alternating order (A B C, then C B A), so that no subject always runs
 * after the same other subject. Discards round 0, the warm-up. Returns one list of results per
 * subject, in the order of the rounds.
 */
export async function alternate<Subject extends { readonly key: string }, Result>(
  subjects: readonly Subject[],
  rounds: number,
  measure: (subject: Subject, round: number) => Promise<Result>,
): Promise<Map<string, Result[]>> {
  const results = new Map<string, Result[]>(subjects.map(({ key }) => [key, []]))
  for (let round = 0; round <= rounds; round += 1) {
    for (const subject of round % 2 === 0 ? subjects : subjects.toReversed()) {
      const result = await measure(subject, round)
      if (round > 0) results.get(subject.key)?.push(result)
    }
  }
  return results
}
