import type { Sheet } from './sheet.ts'

const twice = (values: readonly string[]): readonly string[] => [
  ...new Set(values.filter((value, i) => values.indexOf(value) !== i)),
]

/** What does not fit together of one sheet. */
function problemsOf({ title, version, columns, key, open }: Sheet): string[] {
  const at = `sheets: ${version}`
  const roles = new Map(columns.map(({ name, role }) => [name, role]))
  return [
    ...(/-\d+$/.test(version) || open ? [] : [`${at}: the version has no number that could rise`]),
    ...(title.trim() ? [] : [`${at}: has no title`]),
    ...twice(columns.map(({ name }) => name)).map(name => `${at}: the column «${name}» is there twice`),
    ...twice(columns.map(({ field }) => field.title)).map(head => `${at}: two columns have the heading «${head}»`),
    ...key.flatMap(name => {
      const role = roles.get(name)
      if (!role) return [`${at}: the key «${name}» is no column`]
      return role === 'entered' ? [] : [`${at}: the key «${name}» is a column that nobody fills in`]
    }),
    ...columns.flatMap(({ name, role, judgedBy, field }) => [
      ...(role === 'same' && key.length === 0
        ? [`${at}: «${name}» should be the same as in a row, but no row is found without a key`]
        : []),
      ...(judgedBy && !['text', 'longText', 'decimal'].includes(field.kind)
        ? [`${at}: «${name}» is judged as a text, but a ${field.kind} is none`]
        : []),
    ]),
  ]
}

/**
 * What types cannot see of sheets: keys that are no column, columns that are compared with nothing, headings and versions used
 * twice.
 * @returns one sentence per problem, naming the sheet and the column; empty when all is well
 */
export const checkSheets = (sheets: readonly Sheet[]): string[] => [
  ...twice(sheets.map(({ version }) => version)).map(version => `sheets: the version «${version}» is used twice`),
  ...sheets.flatMap(problemsOf),
]
