import { refusals } from '../../src/server/refusals.ts'

const codes = Object.entries(refusals).map(([name, [code]]) => [name, code] as const)

/** Puts the number of a refusal where a page names it, `REFUSAL.signup.closed`. */
export const refusalCodes: Record<string, number> = Object.fromEntries(
  codes.map(([name, code]) => [`REFUSAL.${name}`, code]),
)

/** The same as one object, for tests: they run pages without building them. */
export const refusalCodesAsOne: Record<string, Record<string, number>> = {}
for (const [name, code] of codes) {
  const [area = '', what = ''] = name.split('.')
  refusalCodesAsOne[area] = Object.assign(refusalCodesAsOne[area] ?? {}, { [what]: code })
}
