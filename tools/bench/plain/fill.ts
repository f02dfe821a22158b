import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { path } from './definition.ts'
import type { Next } from './load.ts'

/** Rows that the table of either server begins with. */
export const rows = 100_000

const day = (from: string, n: string) => `date '${from}' + (${n})::int`

/** Fills the product's table and gives the yardstick one of its own with the same rows and the indexes a person would make. */
export async function fill(pool: pg.Pool): Promise<void> {
  await pool.query(`INSERT INTO device ("deviceNo", "deviceName", kind, grade, "deptId", model, maker, "serialNo", quantity, power,
      price, weight, width, height, depth, bought, warranty, "checkTime", keeper, contact, place, barcode, "isSpare", note, remark,
      "createUser", "createDept", "createTime", "updateUser", "updateTime")
    SELECT 'D' || n, '设备 ' || n, 1 + n % 6, 1 + n * 7 % 4, d.id, 'M-' || n % 900, '厂家 ' || n % 50, 'S' || n, 1 + n % 30, n % 2000,
      n * 13 % 900000, n % 100 + 0.25, n % 800, n % 500, n % 300, ${day('2015-01-01', 'n * 17 % 3650')}, ${day('2025-01-01', 'n % 2000')},
      timestamptz '2025-06-01' + n * interval '1 minute', '保管 ' || n % 400, '0571-' || n, n % 30 || ' 号楼 ' || n % 12 || ' 室',
      md5(n::text), n % 2, '说明 ' || n, NULL, u.id, d.id, timestamptz '2025-01-01' + n * interval '5 minutes', u.id,
      timestamptz '2025-01-01' + n * interval '5 minutes'
    FROM generate_series(1, ${rows}) n,
      (SELECT id FROM "user" WHERE account = 'admin' AND "tenantId" = '000000' LIMIT 1) u,
      (SELECT id FROM dept WHERE "tenantId" = '000000' AND "isDeleted" = 0 ORDER BY id LIMIT 1) d`)
  await pool.query(`CREATE SCHEMA yard`)
  await pool.query(`CREATE TABLE yard.device (LIKE public.device INCLUDING DEFAULTS, PRIMARY KEY (id),
    FOREIGN KEY ("deptId") REFERENCES dept (id))`)
  await pool.query('INSERT INTO yard.device SELECT * FROM device')
  await pool.query(`CREATE UNIQUE INDEX ON yard.device ("tenantId", "deviceNo") WHERE "isDeleted" = 0`)
  await pool.query(`CREATE INDEX ON yard.device ("tenantId", "createTime" DESC, id DESC) WHERE "isDeleted" = 0`)
  await pool.query(`CREATE INDEX ON yard.device ("tenantId", kind, bought) WHERE "isDeleted" = 0`)
  await pool.query(`CREATE INDEX ON yard.device ("deptId")`)
  await pool.query('VACUUM ANALYZE device')
  await pool.query('VACUUM ANALYZE yard.device')
  await pool.query('CHECKPOINT')
}

const below = (most: number): number => Math.floor(Math.random() * most)
const two = (n: number): string => String(n).padStart(2, '0')
const someDay = (from: number): string => `${from + below(4)}-${two(1 + below(12))}-${two(1 + below(28))}`

/** Pages that are asked for; nobody turns more. */
const mostPages = 300

/** A page of the whole list. */
export const anyPage: Next = () => ({ path: `${path}/page?current=${1 + below(mostPages)}&size=10` })

/** A page of one kind bought within some years: about a twentieth of the rows. */
export const filtered: Next = () => ({
  path: `${path}/page?kind=${1 + below(6)}&bought_ge=${someDay(2015)}&bought_le=${someDay(2019)}&current=${1 + below(3)}&size=10`,
})

let made = 0

/** What every new row refers to, and which rows are looked at. */
export interface Known {
  deptId: string
  ids: readonly string[]
}

/** Calls that need to know of rows. */
export function callsOf({ deptId, ids }: Known): { detail: Next; create: Next; keyed: Next; mix: Next } {
  const detail: Next = () => ({ path: `${path}/detail?id=${ids[below(ids.length)]}` })
  const create: Next = () => {
    const n = ++made
    const body = {
      deviceNo: `N${process.pid}.${n}`,
      deviceName: `新设备 ${n}`,
      kind: 1 + (n % 6),
      grade: 1 + (n % 4),
      deptId,
      model: `M-${n % 900}`,
      maker: `厂家 ${n % 50}`,
      serialNo: `S${n}`,
      quantity: 1 + (n % 30),
      power: n % 2000,
      price: (n * 13) % 900_000,
      weight: `${n % 100}.25`,
      width: n % 800,
      height: n % 500,
      depth: n % 300,
      bought: someDay(2015),
      warranty: someDay(2025),
      checkTime: `${someDay(2021)} 08:30:00`,
      keeper: `保管 ${n % 400}`,
      contact: `0571-${n}`,
      place: `${n % 30} 号楼`,
      barcode: `B${n}`,
      isSpare: n % 2,
      note: `说明 ${n}`,
      remark: '',
    }
    return { method: 'POST', path: `${path}/submit`, body: JSON.stringify(body) }
  }
  const keyed: Next = () => ({ ...create(), key: randomUUID() })
  let turn = 0
  const mixed = [detail, anyPage, detail, filtered, create]
  const mix: Next = () => (mixed[turn++ % mixed.length] ?? detail)()
  return { detail, create, keyed, mix }
}
