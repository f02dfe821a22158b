/** What is measured, and by which labels it is told apart. No label holds an id, a name or an address. */
interface Metric {
  /** What it says, for whoever looks at it. */
  readonly help: string
  readonly kind: 'counter' | 'gauge' | 'histogram'
  readonly labels: readonly string[]
  /** Upper bounds of a histogram, in seconds. */
  readonly buckets?: readonly number[]
}

const counter = <const L extends readonly string[]>(help: string, labels: L) =>
  ({ kind: 'counter', help, labels }) as const satisfies Metric
const gauge = <const L extends readonly string[]>(help: string, labels: L) =>
  ({ kind: 'gauge', help, labels }) as const satisfies Metric
const histogram = <const L extends readonly string[]>(help: string, labels: L, buckets: readonly number[]) =>
  ({ kind: 'histogram', help, labels, buckets }) as const satisfies Metric

const quick = [0.001, 0.005, 0.025, 0.1, 0.5, 3] as const
const slow = [0.1, 0.5, 1, 5, 10, 30] as const

/** The metrics of the product; `juxian_` stands before each name. */
export const metrics = {
  http_seconds: histogram(
    'Time from a call to its answer, by the pattern of its route.',
    ['route', 'method', 'status'],
    [0.025, 0.1, 0.3, 1, 3],
  ),
  db_pool: gauge('Connections of the pool that are used or idle, and callers that wait for one.', ['state']),
  db_wait_seconds: histogram('Time that a caller waited for a connection.', [], quick),
  db_query_seconds: histogram('Time until the database answered a statement.', ['kind'], quick),
  db_primary_changes_total: counter('How often another host of the database has become the primary.', []),
  db_replica_lag_seconds: gauge('How far the standby that is most behind is behind; absent without one.', []),
  work_age_seconds: gauge('How long the oldest piece of work that is due has waited.', ['kind']),
  own_work_age_periods: gauge(
    'How many of its periods ago work began that the servers do again and again; work that is paused is absent.',
    ['work'],
  ),
  work_failed_total: counter('Pieces of work that were given up.', ['kind']),
  signup_total: counter('Submits of sign-ups.', ['outcome']),
  pay_total: counter('What came of notifications of payments.', ['outcome']),
  sms_total: counter('Text messages that were handed over.', ['outcome']),
  login_total: counter('Attempts to sign in.', ['outcome']),
  channel_seconds: histogram('Time until a service outside has answered.', ['channel'], slow),
  upload_bytes_total: counter('Bytes of uploaded files that were counted for somebody.', []),
  sessions: gauge('Sessions that were used in the last 15 minutes.', []),
  lock_refusals_total: counter('Calls that were refused because others held the rows for too long.', []),
  overload_refusals_total: counter('Calls that were refused because more was asked than the process can do.', []),
  backup_age_seconds: gauge('How long ago the last whole backup ended; absent without one.', []),
  audit_chain_ok: gauge(
    'Whether the chains of the security log and of acts of review were as they were written when last looked at: 1, or 0; absent before, and when nobody has looked for three days.',
    [],
  ),
  disk_bytes: gauge('Bytes of the disk of DATA_DIR.', []),
  disk_free_bytes: gauge('Free bytes of the disk of DATA_DIR.', []),
} as const satisfies Readonly<Record<string, Metric>>

/** The metrics by name. */
export type Metrics = typeof metrics
/** Names of the metrics of a kind. */
export type NameOf<K extends Metric['kind']> = {
  [N in keyof Metrics]: Metrics[N]['kind'] extends K ? N : never
}[keyof Metrics]
/** The labels of a metric, with their values. */
export type LabelsOf<N extends keyof Metrics> = Readonly<Record<Metrics[N]['labels'][number], string>>
