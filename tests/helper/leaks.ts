import { createHash } from 'node:crypto'
import pg from 'pg'
import { idCardProblem } from '#engine'

// What nobody may read in a log, looked for in all that the servers under test have logged: the lines of their output, and the
// journals and security log of their database.

/** Passwords that tests type. */
const passwords = /Juxian@2026|Abcd1234[xy]|Geheim@2026|Journal@2026|wrong-Password1|hunter22/

const alone = (pattern: string) => new RegExp(`(?<![0-9A-Za-z])${pattern}(?![0-9A-Za-z])`, 'g')
const always = () => true

interface Secret {
  kind: string
  pattern: RegExp
  /** Whether a text that looks like one is one. */
  isOne: (text: string, tokens: ReadonlySet<string>) => boolean
}

const secrets: readonly Secret[] = [
  { kind: 'ID number', pattern: alone('\\d{17}[\\dXx]'), isOne: text => idCardProblem(text) === null },
  { kind: 'phone number', pattern: alone('1[3-9]\\d{9}'), isOne: always },
  { kind: 'password', pattern: new RegExp(passwords, 'g'), isOne: always },
  { kind: 'token', pattern: /eyJ[\w-]{8,}\.[\w-]+\./g, isOne: always },
  {
    kind: 'token',
    pattern: /(?<![\w-])([\w-]{32}|[\w-]{43})(?![\w-])/g,
    isOne: (text, tokens) => tokens.has(createHash('sha256').update(text).digest('hex')),
  },
  { kind: 'cipher text', pattern: /[0-9a-f]{194,}/gi, isOne: always },
]

/** What of a text nobody may read, as `kind in "… what stands around it …"`. */
function leaksIn(text: string, tokens: ReadonlySet<string>): string[] {
  return secrets.flatMap(({ kind, pattern, isOne }) =>
    [...text.matchAll(pattern)]
      .filter(([found]) => isOne(found, tokens))
      .map(({ 0: found, index }) => `${kind} in "${text.slice(Math.max(0, index - 60), index)}…${found.length}…"`),
  )
}

const tables = ['log_api', 'log_error', 'log_usual', 'auditlog']

async function readJournals(url: string): Promise<{ places: Map<string, string[]>; tokens: Set<string> }> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const found = await client.query<{ hash: string }>('SELECT hash FROM session_token')
    const cells = tables.map(
      name => `SELECT '${name}.' || c.key AS place, c.value FROM "${name}" t, jsonb_each_text(to_jsonb(t)) c
        WHERE length(c.value) >= 8 AND c.key !~ '^(id|hash|prevHash|(create|update)(Time|User|Dept))$'`,
    )
    const { rows } = await client.query<{ place: string; value: string }>(cells.join(' UNION ALL '))
    const places = new Map<string, string[]>()
    for (const { place } of rows) places.set(place, [])
    for (const { place, value } of rows) places.get(place)?.push(value)
    return { places, tokens: new Set(found.rows.map(row => row.hash)) }
  } finally {
    await client.end()
  }
}

/**
 * Looks through what a server under test has logged.
 * @param lines of its output
 * @param url address of its database, unless that is another server's too
 * @throws an error that names table, column and kind of what should not be there
 */
export async function expectNoLeaks(lines: readonly string[], url: string | undefined): Promise<void> {
  const { places, tokens } = url
    ? await readJournals(url)
    : { places: new Map<string, string[]>(), tokens: new Set<string>() }
  const all = [['output', lines] as const, ...places]
  const found = all.flatMap(([place, texts]) => leaksIn(texts.join('\n'), tokens).map(leak => `${place}: ${leak}`))
  if (found.length > 0)
    throw new Error(
      `The log tells what nobody may read (${found.length}):\n${[...new Set(found)].slice(0, 12).join('\n')}`,
    )
}
