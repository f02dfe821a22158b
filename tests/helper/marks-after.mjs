/*
 * A sender as ours is not: it marks a message as sent after the call, in the same transaction. Killed between the two it sends it again.
 * Started with the address of the database and that of the receiver.
 */
import pg from 'pg'

const [database, receiver] = process.argv.slice(2)
const client = new pg.Client({ connectionString: database })
await client.connect()
for (;;) {
  await client.query('BEGIN')
  const { rows } = await client.query(
    'SELECT id FROM to_send WHERE NOT sent ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED',
  )
  if (rows.length === 0) break
  await fetch(`${receiver}/${rows[0].id}`, { method: 'POST' })
  await client.query('UPDATE to_send SET sent = true WHERE id = $1', [rows[0].id])
  await client.query('COMMIT')
}
await client.end()
