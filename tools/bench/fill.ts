import type pg from 'pg'

/** Rows of each table that is read and written. */
export const rows = 120_000

const at = `timestamptz '2025-01-01' + n * interval '5 minutes'`
/** Where the ids of the people begin: far from those of the demo. */
const firstId = 900_000_000_000
const sameAs = `(SELECT *, row_number() OVER (ORDER BY id) AS place, count(*) OVER () AS many FROM signup WHERE "isDeleted" = 0)`

/** Adds {@link rows} candidates, as the one of the demo. */
async function fillPeople(pool: pg.Pool): Promise<void> {
  const { rows: found } = await pool.query<{ name: string }>(
    `SELECT quote_ident(column_name) AS name FROM information_schema.columns
      WHERE table_name = 'user' AND column_name <> ALL('{id,account,idCardHash,phoneHash,createTime}')`,
  )
  const names = found.map(one => one.name).join(', ')
  await pool.query(`INSERT INTO "user" (${names}, id, account, "idCardHash", "phoneHash", "createTime")
    OVERRIDING SYSTEM VALUE SELECT ${names}, ${firstId} + n, 'bench' || n, md5('i' || n), md5('p' || n), ${at}
    FROM "user" u, generate_series(1, ${rows}) n WHERE u.account = 'kaosheng'`)
}

/** Adds {@link rows} sign-ups: those of the demo again and again, each a person of its own. */
export async function fillSignups(pool: pg.Pool): Promise<void> {
  const own = ['id', 'signNo', 'idCardHash', 'userId', 'createTime', 'submitTime']
  const { rows: found } = await pool.query<{ name: string }>(
    `SELECT quote_ident(column_name) AS name FROM information_schema.columns
      WHERE table_name = 'signup' AND column_name <> ALL($1)`,
    [own],
  )
  const names = found.map(one => one.name).join(', ')
  await fillPeople(pool)
  // As many as come.
  for (const table of ['examination', 'examitems']) await pool.query(`UPDATE ${table} SET "maxSignup" = NULL`)
  await pool.query(`INSERT INTO signup (${names}, "signNo", "idCardHash", "userId", "createTime", "submitTime")
    SELECT ${names}, 'bench.' || n, md5(n::text), ${firstId} + n, ${at}, ${at}
    FROM generate_series(1, ${rows}) n JOIN ${sameAs} s ON s.place = n % s.many + 1`)
  await pool.query('VACUUM ANALYZE signup')
}

/** Adds {@link rows} posts. */
export async function fillPosts(pool: pg.Pool): Promise<void> {
  await pool.query(`INSERT INTO post (category, "postCode", "postName", sort, "createTime")
    SELECT 1 + n % 4, 'B' || n, '岗位 ' || n, n, ${at} FROM generate_series(1, ${rows}) n`)
  await pool.query('VACUUM ANALYZE post')
}
