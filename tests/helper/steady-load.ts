import { setTimeout as sleep } from 'node:timers/promises'

/** What became of a load. */
export interface Outcome {
  /** How many answers of each status; 0: the connection was lost before one. */
  readonly statuses: Readonly<Record<number, number>>
  readonly answers: number
  readonly perSecond: number
  /** Milliseconds within which 99 of 100 calls were answered, and the longest one took. */
  readonly p99: number
  readonly longest: number
  /** Milliseconds: the longest time in which nothing was saved, and its refusals' p99. */
  readonly outage: number
  readonly refusedP99: number
  /** Answers without their `Retry-After`, where they have to have one. */
  readonly bare: number
  /** The first of those answers that no load may ever get: other refusals than 503. */
  readonly faults: readonly string[]
  /** The first calls whose connection was lost before an answer, each with why. */
  readonly losses: readonly string[]
}

/** People who save and read without a pause. */
export interface SteadyLoad {
  /** Keys of what was acknowledged so far. */
  readonly saved: readonly string[]
  end(): Promise<Outcome>
}

/** What a load consists of. */
export interface LoadOptions {
  /** Where it calls: each client one of them, in turns. */
  urls: readonly string[]
  headers: Record<string, string>
  /** What the keys of what is saved begin with. */
  name?: string
  writers?: number
  readers?: number
  /** Statuses besides 200 and 503 that are no faults. */
  allowed?: readonly number[]
}

/** How many faults, and how many losses, are told. */
const most = 10

const reads = ['/blade-system/param/page?size=20', '/blade-system/dict/page?size=20', '/blade-system/user/info']
const percentile = (times: readonly number[], share: number) =>
  Math.round(times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? 0)

/** What an error says, and what each of its causes does. */
function sayingsOf(error: unknown): string {
  const sayings: string[] = []
  for (let one = error; one instanceof Error; one = one.cause) sayings.push(one.message)
  return sayings.join(': ')
}

/** Lets writers and readers call servers until it is ended; refused ones ask again after 50 ms. */
export function steadyLoad({
  urls,
  headers,
  name = 'load',
  writers = 4,
  readers = 3,
  allowed = [],
}: LoadOptions): SteadyLoad {
  const saved: string[] = []
  const statuses: Record<number, number> = {}
  const times: number[] = []
  const refused: number[] = []
  const faults: string[] = []
  const losses: string[] = []
  let bare = 0
  let outage = 0
  let lastGood = performance.now()
  let isOn = true
  const begun = performance.now()

  const call = async (url: string, body?: object): Promise<boolean> => {
    const since = performance.now()
    const options = body && {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { ...headers, 'content-type': 'application/json' },
    }
    let status = 0
    try {
      const answer = await fetch(url, { headers, signal: AbortSignal.timeout(90_000), ...options })
      const text = await answer.text()
      status = answer.status
      if (status === 503 && !answer.headers.has('retry-after')) bare++
      if (![200, 503, ...allowed].includes(status) && faults.length < most)
        faults.push(`${status} ${url}: ${text.slice(0, 200)}`)
    } catch (error) {
      if ((error as Error).name === 'TimeoutError') faults.push(`${url} was not answered`)
      else if (losses.length < most) losses.push(`${url}: ${sayingsOf(error)}`)
    }
    const time = performance.now() - since
    times.push(time)
    if (status !== 200) refused.push(time)
    statuses[status] = (statuses[status] ?? 0) + 1
    return status === 200
  }
  const writer = async (url: string, at: number) => {
    for (let n = 0; isOn; n++) {
      const key = `${name}.${at}.${n}`
      const isSaved = await call(`${url}/api/blade-system/param/submit`, {
        paramName: key,
        paramKey: key,
        paramValue: key,
      })
      if (isSaved) {
        saved.push(key)
        outage = Math.max(outage, performance.now() - lastGood)
        lastGood = performance.now()
      } else await sleep(50)
    }
  }
  const reader = async (url: string, at: number) => {
    for (let n = at; isOn; n++) if (!(await call(`${url}/api${reads[n % reads.length]}`))) await sleep(50)
  }
  const at = (n: number) => urls[n % urls.length]!
  const working = Promise.all([
    ...Array.from({ length: writers }, (_, n) => writer(at(n), n)),
    ...Array.from({ length: readers }, (_, n) => reader(at(n + writers), n)),
  ])
  return {
    saved,
    async end() {
      outage = Math.max(outage, performance.now() - lastGood)
      isOn = false
      await working
      return {
        statuses,
        answers: times.length,
        perSecond: Math.round((times.length / (performance.now() - begun)) * 1000),
        p99: percentile(times, 0.99),
        longest: percentile(times, 1 - Number.EPSILON),
        outage: Math.round(outage),
        refusedP99: percentile(refused, 0.99),
        bare,
        faults,
        losses,
      }
    },
  }
}

/** Which of the acknowledged keys are not in the database. */
export async function lostOf(
  { saved }: Pick<SteadyLoad, 'saved'>,
  query: (sql: string) => Promise<Record<string, unknown>[]>,
): Promise<string[]> {
  const rows = await query(`SELECT "paramKey" AS key FROM param WHERE "isDeleted" = 0`)
  const there = new Set(rows.map(({ key }) => key))
  return saved.filter(key => !there.has(key))
}
