import type { Database } from '../../src/platform/database/database.ts'
import type { TestApp } from './app.ts'

/** Tables whose rows carry a version. */
type Versioned = { [T in keyof Database]: 'version' extends keyof Database[T] ? T : never }[keyof Database] & string

/** The version that whoever changes a row has to have read. */
export async function versionOf({ db }: Pick<TestApp, 'db'>, table: Versioned, id: string): Promise<number> {
  const row = db
    .selectFrom(table as 'job_info')
    .select('version')
    .where('id', '=', id)
  return (await row.executeTakeFirstOrThrow()).version
}
