import type { Pool } from 'pg'

/** A mail that the server of the demonstration was handed. */
export interface TakenMail {
  address: string
  /** As it came over the wire. */
  raw: Buffer
  time: Date
}

/** A mail as the sandbox shows it. */
export interface ReadMail {
  id: string
  to: string
  from: string
  subject: string
  text: string
  html: string
  time: Date
}

/** Mails to addresses of nobody: the domain is kept for examples. What goes there is shown to everybody. */
const nobodys = '%@example.org'

/** Whether an address is of the people of the demonstration. */
export const isNobodys = (address: string): boolean => address.toLowerCase().endsWith(nobodys.slice(1))

/** Keeps a mail. */
export async function keepMail(pool: Pool, { address, raw, time }: TakenMail): Promise<void> {
  await pool.query('INSERT INTO mail_outbox (address, raw, time) VALUES ($1, $2, $3)', [
    address.toLowerCase(),
    raw,
    time,
  ])
}

type Kept = TakenMail & { id: string }

async function read({ id, address, raw, time }: Kept): Promise<ReadMail> {
  const { default: PostalMime } = await import('postal-mime')
  const mail = await PostalMime.parse(raw)
  const { name = '', address: sender = '' } = mail.from ?? {}
  return {
    id,
    to: address,
    from: name ? `${name} <${sender}>` : sender,
    subject: mail.subject ?? '',
    text: mail.text ?? '',
    html: mail.html ?? '',
    time,
  }
}

/** The last mails to an address, newest first; without one those to the people of the demonstration. */
export async function mailsTo(pool: Pool, address: string): Promise<ReadMail[]> {
  const { rows } = await pool.query<Kept>(
    `SELECT id, address, raw, time FROM mail_outbox WHERE ${address ? 'address = $1' : 'address LIKE $1'} ORDER BY id DESC LIMIT 20`,
    [address ? address.toLowerCase() : nobodys],
  )
  return Promise.all(rows.map(read))
}

/** One mail to the people of the demonstration; undefined where there is none. */
export async function mailById(pool: Pool, id: string): Promise<ReadMail | undefined> {
  const { rows } = await pool.query<Kept>(
    'SELECT id, address, raw, time FROM mail_outbox WHERE id = $1 AND address LIKE $2',
    [id, nobodys],
  )
  return rows[0] && read(rows[0])
}
