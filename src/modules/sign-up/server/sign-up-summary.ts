import type { Db, ExamRow, SignupRow } from '../../../platform/access/server/caller.ts'
import type { StepFacts } from './next-step.ts'

/** Sign-ups of a candidate, with their exams by id. */
export interface SummaryQuery {
  db: Db
  rows: readonly SignupRow[]
  exams: ReadonlyMap<string, ExamRow>
  now: Date
}

/** Reads some of the facts that decide the next step: from one query for all sign-ups, then for each of them. */
export type FactsReader<K extends keyof StepFacts> = (
  query: SummaryQuery,
) => Promise<(row: SignupRow) => Pick<StepFacts, K>>

/** What later modules know of a sign-up. */
export interface FactsReaders {
  readonly fee: FactsReader<'payUntil' | 'payAmount' | 'isExemptAsked'>
  readonly ticket: FactsReader<'hasTicket' | 'mustSure' | 'mustUpload'>
  readonly result: FactsReader<'hasScore' | 'confirmUntil' | 'leftShortlist'>
}

declare module '../../../platform/http/server/extensions.ts' {
  interface Extensions {
    nextStep: FactsReaders
  }
}

/** What decides the next step of each sign-up, by its id. */
export async function summariesOf(readers: FactsReaders, query: SummaryQuery): Promise<Map<string, StepFacts>> {
  if (query.rows.length === 0) return new Map()
  const [fee, ticket, result] = await Promise.all([readers.fee(query), readers.ticket(query), readers.result(query)])
  return new Map(query.rows.map(row => [row.id, { ...fee(row), ...ticket(row), ...result(row) }]))
}
