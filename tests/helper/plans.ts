import pg from 'pg'
import { vi } from 'vitest'

/** A part of a plan that reads a table, as `EXPLAIN (FORMAT JSON)` writes it. */
interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Plan Rows': number
  Plans?: PlanNode[]
}

/** How a statement reads a table. */
export interface Reading {
  statement: string
  /** `Seq Scan`, `Index Scan` … */
  by: string
  /** How many rows PostgreSQL expects to read. */
  rows: number
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

/**
 * Does something, and then asks PostgreSQL how the statements that were sent meanwhile read a table. Nothing is measured, so the
 * answer does not depend on the machine. The table is to be analysed before.
 */
export async function readingsOf(pool: pg.Pool, table: string, work: () => Promise<unknown>): Promise<Reading[]> {
  const sent = new Map<string, unknown[]>()
  const query = pg.Client.prototype.query as (...args: unknown[]) => unknown
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    const [first, values] = args
    const { text, values: own } = (typeof first === 'object' && first !== null ? first : {}) as pg.QueryConfig
    const statement = typeof first === 'string' ? first : text
    if (statement && /^\s*(select|insert|update|delete|with)\b/i.test(statement) && statement.includes(table))
      sent.set(statement, (own ?? values ?? []) as unknown[])
    return query.apply(this, args) as never
  } as never)
  await work().finally(() => spy.mockRestore())
  const readings: Reading[] = []
  for (const [statement, values] of sent) {
    const { rows } = await pool.query(`EXPLAIN (FORMAT JSON) ${statement}`, Array.isArray(values) ? values : [])
    const [{ Plan: plan }] = rows[0]['QUERY PLAN'] as [{ Plan: PlanNode }]
    for (const node of nodesOf(plan))
      if (node['Relation Name'] === table && node['Node Type'] !== 'ModifyTable')
        readings.push({ statement, by: node['Node Type'], rows: node['Plan Rows'] })
  }
  return readings
}
