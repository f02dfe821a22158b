import type { FastifyInstance } from 'fastify'
import { type RawBuilder, sql } from 'kysely'
import { InvoiceStatus } from '#schemas/dictionaries'
import { playChannel, playClaims, playFaults, playNotes, playReports } from './story-claims.ts'
import { playReductions, playShortlist, playTickets } from './story-exam.ts'
import { playInvoices, playLedger, playReconciliation, playRefunds } from './story-money.ts'
import { playDevelopment, playJobs, playOffice, playPlatform, playSendings, playWorkflow } from './story-office.ts'
import { playArchive, playHooks, playPurge } from './story-outside.ts'

/** Part of what happened before somebody looks at the demonstration. */
interface Scene {
  /** A table that has rows once the scene was played; a start that was cut short plays the others. */
  table: string
  /** Rows of the table that count, where the program itself has others. */
  where?: RawBuilder<boolean>
  play: (app: FastifyInstance) => Promise<void>
}

const scenes: readonly Scene[] = [
  // Before what they are told of.
  { table: 'hook', play: playHooks },
  { table: 'postreduction', play: playReductions },
  { table: 'ticketnotice', play: playTickets },
  { table: 'promotion', play: playShortlist },
  { table: 'payrefund', play: playRefunds },
  { table: 'exportpaymain', play: playLedger },
  { table: 'reconciliation', play: playReconciliation },
  { table: 'topmenu', play: playPlatform },
  { table: 'model', play: playDevelopment },
  { table: 'job_info', where: sql<boolean>`builtin = 0`, play: playJobs },
  { table: 'job_workflow', play: playWorkflow },
  { table: 'send', play: playSendings },
  { table: 'exporttask', play: playOffice },
  { table: 'idclaim', play: playClaims },
  { table: 'pay', play: playChannel },
  { table: 'log_error', play: playFaults },
  { table: 'log_usual', play: playNotes },
  { table: 'report', play: playReports },
  { table: 'examarchive', play: playArchive },
  { table: 'datapurge', play: playPurge },
]

/** Plays what people of the demonstration have done, through the same calls as its pages. */
export async function playStory(app: FastifyInstance): Promise<void> {
  for (const { table, where = sql<boolean>`true`, play } of scenes) {
    const { rows } = await sql<{
      played: boolean
    }>`SELECT EXISTS (SELECT 1 FROM ${sql.table(table)} WHERE ${where}) AS played`.execute(app.db)
    if (!rows[0]?.played) await play(app)
  }
  const asked = await app.db
    .selectFrom('payrecord')
    .select('id')
    .where('invoiceStatus', '<>', InvoiceStatus.none)
    .executeTakeFirst()
  if (!asked) await playInvoices(app)
}
