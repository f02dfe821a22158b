import type { FastifyInstance } from 'fastify'
import type { Field } from '#engine'
import { dictionaries } from '#schemas'

/** Words of one dictionary, both ways, in the order offered. */
export interface Words {
  readonly byKey: ReadonlyMap<string, string>
  readonly byWord: ReadonlyMap<string, string>
}

const wordsOf = (pairs: readonly (readonly [key: string, word: string])[]): Words => ({
  byKey: new Map(pairs),
  byWord: new Map(pairs.map(([key, word]) => [word, key])),
})

interface Entry {
  code: string
  key: string
  word: string
}

const find = `
  SELECT code, "dictKey" AS key, "dictValue" AS word, sort FROM dict
    WHERE code = ANY($1) AND "isDeleted" = 0 AND coalesce("parentId", 0) <> 0
  UNION ALL SELECT code, "dictKey", "dictValue", sort FROM dict_biz
    WHERE code = ANY($1) AND "tenantId" = $2 AND "isDeleted" = 0 AND coalesce("parentId", 0) <> 0
  UNION ALL SELECT 'region', code, name, sort FROM region WHERE 'region' = ANY($1) AND "isDeleted" = 0
  ORDER BY 4, 2`

/** The words of every dictionary that some fields use, as a tenant has them now. */
export async function readWords(
  app: Pick<FastifyInstance, 'pool'>,
  tenantId: string,
  fields: readonly Field[],
): Promise<ReadonlyMap<string, Words>> {
  const codes = [...new Set(fields.flatMap(field => field.dict ?? []))]
  const { rows } = await app.pool.query<Entry>(find, [codes, tenantId])
  return new Map(
    codes.map(code => {
      const own = rows.filter(row => row.code === code).map(row => [row.key, row.word] as const)
      const first = dictionaries.find(one => one.code === code)?.entries ?? {}
      return [code, wordsOf(own.length > 0 ? own : Object.entries(first as Record<string, string>))]
    }),
  )
}

/** The words of one key or of several comma-joined keys; a key without a word stays itself. */
export const wordOf = (words: Words | undefined, value: string): string =>
  value
    .split(',')
    .map(key => words?.byKey.get(key) ?? key)
    .join(',')
