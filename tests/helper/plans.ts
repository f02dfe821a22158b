import { betweenStatements, type Sending } from './statements.ts'

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
export async function readingsOf(server: Sending, table: string, work: () => Promise<unknown>): Promise<Reading[]> {
  const sent = new Map<string, unknown[]>()
  const stop = betweenStatements(server, (text, [values]) => {
    const isMeant = /^\s*(select|insert|update|delete|with)\b/i.test(text) && text.includes(table)
    if (isMeant) sent.set(text, Array.isArray(values) ? values : [])
    return undefined
  })
  await work().finally(stop)
  const readings: Reading[] = []
  for (const [statement, values] of sent) {
    const { rows } = await server.app.pool.query(`EXPLAIN (FORMAT JSON) ${statement}`, values)
    const [{ Plan: plan }] = rows[0]['QUERY PLAN'] as [{ Plan: PlanNode }]
    for (const node of nodesOf(plan))
      if (node['Relation Name'] === table && node['Node Type'] !== 'ModifyTable')
        readings.push({ statement, by: node['Node Type'], rows: node['Plan Rows'] })
  }
  return readings
}
