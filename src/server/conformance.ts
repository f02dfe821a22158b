import { entities } from '#schemas'
import { tablesOf } from '../crud/table.ts'
import { isDatabaseAddress } from '../platform/database/address.ts'
import { examine, type Finding, type Report } from '../platform/database/conformance/conformance.ts'
import places from '../platform/database/conformance/features.ts?places'

// Looks whether a database has what this program needs: `npm run conformance -- URL`. Ends with 0 when all that is needed works.

const usage = [
  'npm run conformance -- postgresql://user:password@host:5432/name',
  'Looks whether this database has what the program needs. It works in a schema of its own, which is removed again, and reads',
  'nothing of yours; past any pooler. --json writes it for programs. Ends with 0 when all that is needed works.',
].join('\n')

const args = process.argv.slice(2)
const isJson = args.includes('--json')
const urls = args.filter(one => !one.startsWith('--'))

/** Where the sources use a feature; empty for what every statement needs. */
const placesOf = ({ feature }: Finding) => places[feature] ?? {}

function sayPlaces(finding: Finding): string {
  const counts = Object.values(placesOf(finding))
  if (counts.length === 0) return 'everywhere'
  const sum = counts.reduce((all, one) => all + one, 0)
  return `${sum} in ${counts.length} ${counts.length === 1 ? 'file' : 'files'}`
}

function line(finding: Finding): string {
  const { state, need, name, use, says } = finding
  const head = [state.padEnd(8), need.padEnd(9), sayPlaces(finding).padEnd(18), name].join('')
  const pad = ' '.repeat(35)
  return [head, `${pad}${use}`, ...(says ? [`${pad}! ${says}`] : [])].join('\n')
}

/** What does not work, of those that are needed or not. */
const failing = ({ findings }: Report, need: Finding['need']) =>
  findings.filter(one => one.need === need && one.state !== 'works')

function summary(report: Report): string {
  const names = (need: Finding['need']) =>
    failing(report, need).map(({ name, state }) => (state === 'differs' ? `${name} (differs)` : name))
  const [needed, optional] = [names('needed'), names('optional')]
  return [
    needed.length === 0 ? 'All that is needed works.' : `needed lacking: ${needed.join('; ')}`,
    ...(optional.length > 0 ? [`optional lacking: ${optional.join('; ')}`] : []),
  ].join('\n')
}

async function run(): Promise<number> {
  const [url = ''] = urls
  if (urls.length !== 1 || !/^postgres(ql)?:\/\//.test(url) || !isDatabaseAddress(url)) {
    console.error(usage)
    return 1
  }
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  if (!isJson) console.log('state   need     places            feature')
  const report = await examine(url, {
    tables: tablesOf(entities),
    signal: stop.signal,
    tell: finding => isJson || console.log(line(finding)),
  })
  const isFit = failing(report, 'needed').length === 0
  if (isJson) {
    const findings = report.findings.map(one => ({ ...one, places: placesOf(one) }))
    console.log(JSON.stringify({ ...report, fit: isFit, findings }, null, 2))
  } else console.log(`\n${report.engine}\n${summary(report)}`)
  return isFit ? 0 : 1
}

try {
  process.exitCode = await run()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
