import type pg from 'pg'
import { sessionOptions, sessionSettings } from '../database.ts'
import { readFound } from '../found.ts'
import { agree, type Bench, Differs, type Session } from './bench.ts'
import type { FeatureName } from './features.ts'

/** Tries one feature. @throws {Differs} when it works otherwise; whatever the database says when it is lacking */
export type Probe = (bench: Bench) => Promise<void>

const busy = ['55P03']
const duplicate = ['23505']

/** Does something in a transaction that is always undone. */
async function undone(one: Session, work: () => Promise<void>): Promise<void> {
  await one.rows('BEGIN')
  try {
    await work()
  } finally {
    await one.rows('ROLLBACK')
  }
}

/** Sessions beside one another. */
const sessions = (bench: Bench, count: number): Promise<Session[]> =>
  Promise.all(Array.from({ length: count }, () => bench.session()))

/**
 * A lock that one session holds keeps another waiting until it is given up.
 * @param begin what takes the lock, in a transaction
 */
async function keepsWaiting(bench: Bench, begin: string, other: string): Promise<void> {
  const [one, two] = (await sessions(bench, 2)) as [Session, Session]
  await two.rows(`SET lock_timeout = '100ms'`)
  await one.rows('BEGIN')
  await one.rows(begin)
  await two.refused(busy, other)
  await two.rows(`SET lock_timeout = '5s'`)
  const waiting = two.rows(other)
  await one.rows('COMMIT')
  await waiting
}

/** What is probed with the features, one by one. */
export const probes: Readonly<Record<Exclude<FeatureName, 'schema'>, Probe>> = {
  async values(bench) {
    const { client, rows } = await bench.session()
    const text = `SELECT 9007199254740993::bigint AS id, -7::integer AS n, 12.3400::numeric(20,4) AS d, true AS yes,
      NULL::text AS none, '2026-02-03'::date AS day, '2026-02-03T04:05:06.789Z'::timestamptz AS time, '{"a": [1]}'::jsonb AS json`
    const [found] = await rows(text)
    agree('values as texts', found, {
      id: '9007199254740993',
      n: -7,
      d: '12.3400',
      yes: true,
      none: null,
      day: '2026-02-03',
      time: new Date('2026-02-03T04:05:06.789Z'),
      json: { a: [1] },
    })
    const binary = await client.query({ text: 'SELECT 7::integer AS n, true AS yes', binary: true } as pg.QueryConfig)
    agree('values as bytes', binary.rows, [{ n: 7, yes: true }])
    const bytes = Buffer.from([0, 1, 255])
    agree('bytes', await rows('SELECT $1::bytea AS b, length($1::bytea) AS n', [bytes]), [{ b: bytes, n: 3 }])
  },

  async arrays(bench) {
    const { rows } = await bench.session()
    agree(
      'arrays',
      await rows('SELECT $1::bigint[] AS ids, $2::text[] AS texts, $3::bigint = ANY($1) AS yes', [
        ['1', '2'],
        ['a,b', '"中"', null],
        '2',
      ]),
      [{ ids: ['1', '2'], texts: ['a,b', '"中"', null], yes: true }],
    )
    agree(
      'rows of arrays',
      await rows('SELECT a, b FROM unnest($1::int[], $2::text[]) AS u (a, b) ORDER BY a DESC', [
        [1, 2],
        ['x', 'y'],
      ]),
      [
        { a: 2, b: 'y' },
        { a: 1, b: 'x' },
      ],
    )
  },

  async settings(bench) {
    const one = await bench.session({ options: sessionOptions })
    const names = Object.keys(sessionSettings)
    const found = await one.rows('SELECT current_setting(name) AS value FROM unnest($1::text[]) AS name', [names])
    agree(
      'settings',
      found.map(row => row.value),
      Object.values(sessionSettings),
    )
    await one.rows(`SET statement_timeout = '100ms'`)
    await one.refused(['57014'], 'SELECT pg_sleep(5)')
  },

  async prepared(bench) {
    const { client } = await bench.session()
    for (const n of [1, 2]) {
      const { rows } = await client.query({ name: 'one', text: 'SELECT $1::int + 1 AS n', values: [n] })
      agree('a named statement', rows, [{ n: n + 1 }])
    }
  },

  async texts(bench) {
    const { rows } = await bench.session()
    await rows('CREATE TABLE texts (name varchar(4))')
    await rows(`INSERT INTO texts SELECT unnest($1::text[])`, [['张三', '李四', '王五', '𠮷野', 'Zoe', 'amy']])
    agree('characters', await rows(`SELECT char_length('𠮷野') AS n, position('野' IN '𠮷野') AS at`), [
      { n: 2, at: 2 },
    ])
    agree(
      'part of a text',
      await rows(`SELECT name FROM texts WHERE name ILIKE '%三%' OR name ILIKE 'ZO%' ORDER BY 1`),
      [{ name: 'Zoe' }, { name: '张三' }],
    )
    // Lists go on after the last row that was shown.
    const order = await rows(`SELECT count(*)::int AS n FROM
      (SELECT name, lag(name) OVER (ORDER BY name) AS before FROM texts) t WHERE before > name`)
    agree('order', order, [{ n: 0 }])
  },

  async time(bench) {
    const { rows } = await bench.session()
    await rows(`SET timezone = 'Asia/Shanghai'`)
    agree(
      'time',
      await rows(`SELECT '2026-02-03 00:30:00'::timestamptz AT TIME ZONE 'UTC' = '2026-02-02 16:30:00' AS same,
        date_trunc('month', '2026-01-31T16:30:00Z'::timestamptz AT TIME ZONE 'Asia/Shanghai')::date AS month,
        extract(isodow FROM '2026-02-03'::date)::int AS day`),
      [{ same: true, month: '2026-02-01', day: 2 }],
    )
  },

  async onConflict(bench) {
    const many = await sessions(bench, 4)
    const one = many[0]!
    await one.rows('CREATE TABLE conflict (name text, gone int DEFAULT 0, count int DEFAULT 1)')
    await one.rows('CREATE UNIQUE INDEX conflict_name ON conflict (name) WHERE gone = 0')
    const add = `INSERT INTO conflict (name) VALUES ('a') ON CONFLICT (name) WHERE gone = 0
      DO UPDATE SET count = conflict.count + excluded.count RETURNING count`
    const all = await Promise.all(many.map(each => each.rows(add)))
    agree(
      'counts',
      all
        .flat()
        .map(row => row.count)
        .toSorted(),
      [1, 2, 3, 4],
    )
    agree(
      'a row that is there',
      await one.rows(`INSERT INTO conflict (name) VALUES ('a') ON CONFLICT DO NOTHING RETURNING 1`),
      [],
    )
  },

  async returning(bench) {
    const { rows } = await bench.session()
    await rows('CREATE TABLE returning_rows (id int, n int)')
    agree('of an insert', await rows('INSERT INTO returning_rows VALUES (1, 1), (2, 2) RETURNING id, n + 1 AS more'), [
      { id: 1, more: 2 },
      { id: 2, more: 3 },
    ])
    const changed = `WITH changed AS (UPDATE returning_rows r SET n = x.n FROM unnest(ARRAY[2], ARRAY[9]) x (id, n)
      WHERE r.id = x.id RETURNING r.*) SELECT id, n FROM changed`
    agree('of an update within a query', await rows(changed), [{ id: 2, n: 9 }])
    agree('of a deletion', await rows('DELETE FROM returning_rows WHERE id = 1 RETURNING n'), [{ n: 1 }])
  },

  async forUpdate(bench) {
    const { rows } = await bench.session()
    await rows('CREATE TABLE locked (id int PRIMARY KEY)')
    await rows('INSERT INTO locked VALUES (1), (2)')
    for (const lock of ['FOR UPDATE', 'FOR NO KEY UPDATE'])
      await keepsWaiting(
        bench,
        `SELECT 1 FROM locked WHERE id = 1 ${lock}`,
        `SELECT 1 FROM locked l WHERE id = 1 ${lock} OF l`,
      )
  },

  async forShare(bench) {
    const [one, two, { rows }] = (await sessions(bench, 3)) as [Session, Session, Session]
    await rows('CREATE TABLE shared (id int PRIMARY KEY)')
    await rows('INSERT INTO shared VALUES (1)')
    for (const each of [one, two]) {
      await each.rows('BEGIN')
      await each.rows(`SET LOCAL lock_timeout = '2s'`)
      await each.rows('SELECT 1 FROM shared FOR SHARE')
    }
    for (const each of [one, two]) await each.rows('COMMIT')
    await keepsWaiting(bench, 'SELECT 1 FROM shared FOR SHARE', 'UPDATE shared SET id = 1')
  },

  async skipLocked(bench) {
    const workers = await sessions(bench, 4)
    const { rows } = workers[0]!
    await rows('CREATE TABLE queue (id int PRIMARY KEY, taken int DEFAULT 0)')
    await rows('INSERT INTO queue SELECT generate_series(1, 60)')
    const take = `WITH next AS (SELECT id FROM queue WHERE taken = 0 ORDER BY id LIMIT 2 FOR NO KEY UPDATE SKIP LOCKED)
      UPDATE queue q SET taken = taken + 1 FROM next WHERE q.id = next.id RETURNING q.id`
    const given = await Promise.all(
      workers.map(async worker => {
        const mine: unknown[] = []
        for (let some = await worker.rows(take); some.length > 0; some = await worker.rows(take))
          mine.push(...some.map(row => row.id))
        return mine
      }),
    )
    // Who finds nothing free has not waited for what others were taking: some may be left when all have gone.
    const left = await rows('SELECT count(*)::int AS n FROM queue WHERE taken = 0')
    agree('rows handed out', given.flat().length + Number(left[0]?.n), 60)
    agree('rows handed out once', new Set(given.flat()).size, given.flat().length)
    await keepsFree(bench)
  },

  async recheck(bench) {
    const [one, two] = (await sessions(bench, 2)) as [Session, Session]
    await one.rows('CREATE TABLE moved (id int PRIMARY KEY, step int)')
    await one.rows('INSERT INTO moved VALUES (1, 0)')
    const move = 'UPDATE moved SET step = 1 WHERE id = 1 AND step = 0 RETURNING id'
    await one.rows('BEGIN')
    agree('the first', await one.rows(move), [{ id: 1 }])
    const second = two.rows(move)
    await one.rows('COMMIT')
    agree('the second', await second, [])
  },

  async transactionLocks(bench) {
    await keepsWaiting(bench, 'SELECT pg_advisory_xact_lock(8131, 1)', 'SELECT pg_advisory_xact_lock(8131, 1)')
    const { rows } = await bench.session()
    agree(
      'a lock that is free',
      await rows('SELECT pg_try_advisory_xact_lock(hashtextextended($1, 8131)) AS mine', ['中']),
      [{ mine: true }],
    )
  },

  async sessionLocks(bench) {
    const [one, two] = (await sessions(bench, 2)) as [Session, Session]
    const [class_, number] = [8131, Math.trunc(Math.random() * 1e9)]
    const mine = async (each: Session) =>
      (await each.rows('SELECT pg_try_advisory_lock($1, $2) AS mine', [class_, number]))[0]?.mine
    agree('the first', await mine(one), true)
    agree('the second', await mine(two), false)
    const held = await two.rows(
      `SELECT count(*)::int AS n FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 2 AND classid = $1::int::oid
       AND objid::int8 = $2 AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      [class_, number],
    )
    agree('the list of locks', held, [{ n: 1 }])
    await one.end()
    // The server may take a moment to see that somebody has gone.
    for (let tries = 0; tries < 50; tries++) if (await mine(two)) return
    throw new Differs('the lock of a session that has ended is still held')
  },

  async notifications(bench) {
    const [one, two] = (await sessions(bench, 2)) as [Session, Session]
    const heard = new Promise<string>(resolve => one.client.once('notification', ({ channel }) => resolve(channel)))
    await one.rows('LISTEN juxian_check')
    await two.rows('NOTIFY juxian_check')
    let timer: NodeJS.Timeout | undefined
    const silence = new Promise<string>(resolve => {
      timer = setTimeout(resolve, 3000, 'nothing')
    })
    const what = await Promise.race([heard, silence])
    clearTimeout(timer)
    agree('what was heard', what, 'juxian_check')
  },

  async uniques(bench) {
    const many = await sessions(bench, 4)
    const one = many[0]!
    await one.rows('CREATE TABLE living (name text, gone int DEFAULT 0)')
    await one.rows('CREATE UNIQUE INDEX living_name ON living (name) WHERE gone = 0')
    const names = Array.from({ length: 25 }, (_, n) => `n${n}`)
    let refused = 0
    const add = async ({ client }: Session) => {
      for (const name of names)
        try {
          await client.query('INSERT INTO living (name) VALUES ($1)', [name])
        } catch (error) {
          if ((error as pg.DatabaseError).code !== duplicate[0]) throw error
          refused++
        }
    }
    await Promise.all(many.map(add))
    agree('refused duplicates of four writers', refused, 75)
    agree('rows', await one.rows('SELECT count(*)::int AS n FROM living'), [{ n: 25 }])
    const { constraint, table } = await one.refused(duplicate, `INSERT INTO living (name) VALUES ('n1')`)
    agree('what is said of a duplicate', { constraint, table }, { constraint: 'living_name', table: 'living' })
    await one.rows(`UPDATE living SET gone = 1 WHERE name = 'n1'`)
    await one.rows(`INSERT INTO living (name) VALUES ('n1')`)
  },

  async rules(bench) {
    const one = await bench.session()
    await one.rows('CREATE TABLE parents (tenant text, id int, UNIQUE (tenant, id))')
    await one.rows('CREATE TABLE children (tenant text, parent int, n int)')
    await one.rows(`INSERT INTO parents VALUES ('a', 1); INSERT INTO children VALUES ('a', 2, 7)`)
    await one.rows(`ALTER TABLE children ADD CONSTRAINT f FOREIGN KEY (tenant, parent) REFERENCES parents (tenant, id) NOT VALID,
      ADD CONSTRAINT c CHECK (n < 5) NOT VALID`)
    await one.refused(['23503'], 'ALTER TABLE children VALIDATE CONSTRAINT f')
    const { constraint } = await one.refused(['23514'], `INSERT INTO children VALUES ('a', 1, 9)`)
    agree('the name of a broken rule', constraint, 'c')
    await one.refused(['23503'], `INSERT INTO children VALUES ('b', 1, 1)`)
    await one.rows('UPDATE children SET parent = 1, n = 1')
    for (const name of ['f', 'c']) await one.rows(`ALTER TABLE children VALIDATE CONSTRAINT ${name}`)
    await one.rows('ALTER TABLE children ALTER COLUMN n SET NOT NULL')
    await one.refused(['23502'], 'INSERT INTO children VALUES (NULL, NULL, NULL)')
  },

  async trigram(bench) {
    const one = await bench.session()
    // Whether it is installed or not, nothing of it is left.
    await undone(one, async () => {
      await one.rows('CREATE EXTENSION IF NOT EXISTS pg_trgm')
      const [found] = await one.rows(
        `SELECT extnamespace::regnamespace::text AS name FROM pg_extension WHERE extname = 'pg_trgm'`,
      )
      await one.rows('CREATE TABLE parts (name text)')
      await one.rows(`CREATE INDEX parts_name ON parts USING gin (name ${found?.name}.gin_trgm_ops)`)
      const [seen] = await one.rows(`SELECT cardinality(${found?.name}.show_trgm('聚贤考试')) AS n`)
      if (Number(seen?.n) < 4)
        throw new Differs('sees no Chinese characters; make the database with a locale such as C.UTF-8')
    })
  },

  async jsonb(bench) {
    const { rows } = await bench.session()
    agree(
      'jsonb',
      await rows(
        `SELECT v->>'name' AS name, v->'list'->0 AS first, v ? 'none' AS has, v @> '{"name": "中"}' AS holds, v || '{"n": 1}' AS more,
          (SELECT array_agg(key ORDER BY key) FROM jsonb_object_keys(v) AS key) AS keys,
          (SELECT n FROM jsonb_populate_record(NULL::record_of, '{"n": 5}'::jsonb)) AS n
         FROM (SELECT $1::jsonb AS v) t`.replace('record_of', await tableOf(rows, 'record_of', 'n int')),
        [JSON.stringify({ name: '中', list: [1] })],
      ),
      [
        {
          name: '中',
          first: 1,
          has: false,
          holds: true,
          more: { n: 1, list: [1], name: '中' },
          keys: ['list', 'name'],
          n: 5,
        },
      ],
    )
  },

  async json(bench) {
    const { rows } = await bench.session()
    const [found] =
      await rows(`SELECT row_to_json(r)::text AS row, (SELECT json_agg(x ORDER BY x) FROM unnest(ARRAY[2, 1]) x) AS list
      FROM (SELECT 1::bigint AS id, '中"' AS name, NULL::int AS none) r`)
    agree('JSON', found, { row: '{"id":1,"name":"中\\"","none":null}', list: [1, 2] })
  },

  async filter(bench) {
    const { rows } = await bench.session()
    agree(
      'sums',
      await rows(
        'SELECT count(*) FILTER (WHERE n > 1)::int AS few, sum(n) FILTER (WHERE n > 9) AS none FROM generate_series(1, 3) n',
      ),
      [{ few: 2, none: null }],
    )
  },

  async lateral(bench) {
    const { rows } = await bench.session()
    agree(
      'rows',
      await rows(`SELECT a, m FROM generate_series(1, 3) a
        LEFT JOIN LATERAL (SELECT b AS m FROM generate_series(1, 9) b WHERE b < a ORDER BY b DESC LIMIT 1) x ON true ORDER BY a`),
      [
        { a: 1, m: null },
        { a: 2, m: 1 },
        { a: 3, m: 2 },
      ],
    )
  },

  async recursive(bench) {
    const { rows } = await bench.session()
    const sql = `WITH RECURSIVE above AS (SELECT 5 AS n UNION SELECT n - 1 FROM above WHERE n > 1) SELECT count(*)::int AS n FROM above`
    agree('rows', await rows(sql), [{ n: 5 }])
  },

  async cursors(bench) {
    const one = await bench.session()
    await undone(one, async () => {
      await one.rows('DECLARE rows NO SCROLL CURSOR FOR SELECT n FROM generate_series(1, 5) n')
      const sizes = []
      for (let n = 0; n < 3; n++) sizes.push((await one.rows('FETCH 2 FROM rows')).length)
      agree('portions', sizes, [2, 2, 1])
    })
  },

  async ids(bench) {
    const [one, two] = (await sessions(bench, 2)) as [Session, Session]
    await one.rows('CREATE SEQUENCE numbers')
    await one.rows(
      `CREATE FUNCTION next_number() RETURNS bigint LANGUAGE sql VOLATILE AS $$ SELECT 4611686018427387904 | nextval('numbers') $$`,
    )
    await one.rows('CREATE TABLE numbered (id bigint DEFAULT next_number() PRIMARY KEY, n int)')
    const add = (each: Session) => each.rows('INSERT INTO numbered (n) SELECT generate_series(1, 50) RETURNING id')
    const ids = (await Promise.all([add(one), add(two)])).flat().map(row => String(row.id))
    agree('numbers', [new Set(ids).size, ids.every(id => /^\d{19}$/.test(id))], [100, true])
  },

  async triggers(bench) {
    const one = await bench.session()
    await one.rows('CREATE TABLE counted (n int); CREATE TABLE counts (name text PRIMARY KEY, n int)')
    await one.rows(`CREATE FUNCTION count_statement() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO counts VALUES (TG_TABLE_NAME, 1) ON CONFLICT (name) DO UPDATE SET n = counts.n + 1; RETURN NULL; END $$`)
    await one.rows(
      `CREATE TRIGGER t AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON counted FOR EACH STATEMENT EXECUTE FUNCTION count_statement()`,
    )
    await one.rows('INSERT INTO counted SELECT generate_series(1, 9)')
    await one.rows('UPDATE counted SET n = 1 WHERE false')
    await one.rows('TRUNCATE counted')
    agree('statements', await one.rows('SELECT name, n FROM counts'), [{ name: 'counted', n: 3 }])
    await one.rows(
      `CREATE FUNCTION stays() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'stays' USING ERRCODE = '23001'; END $$`,
    )
    await one.rows('CREATE TRIGGER s BEFORE DELETE ON counts FOR EACH ROW EXECUTE FUNCTION stays()')
    await one.refused(['23001'], 'DELETE FROM counts')
    await one.rows(`DO $$ BEGIN BEGIN PERFORM 1 / 0; EXCEPTION WHEN division_by_zero THEN NULL; END; END $$`)
  },

  async transitions(bench) {
    const one = await bench.session()
    await one.rows(
      'CREATE TABLE watched (name text, gone int); CREATE TABLE watched_left (name text PRIMARY KEY, n int)',
    )
    await one.rows(`CREATE FUNCTION note_added() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO watched_left AS l SELECT name, count(*) FROM rows_after WHERE gone = 0 GROUP BY 1
        ON CONFLICT (name) DO UPDATE SET n = l.n + excluded.n; RETURN NULL; END $$`)
    await one.rows(`CREATE FUNCTION note_changed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO watched_left AS l SELECT name, sum(n) FROM (SELECT name, 1 - gone AS n FROM rows_after
        UNION ALL SELECT name, gone - 1 FROM rows_before) r GROUP BY name HAVING sum(n) <> 0
        ON CONFLICT (name) DO UPDATE SET n = l.n + excluded.n; RETURN NULL; END $$`)
    await one.rows(`CREATE TRIGGER a AFTER INSERT ON watched REFERENCING NEW TABLE AS rows_after
      FOR EACH STATEMENT EXECUTE FUNCTION note_added()`)
    await one.rows(`CREATE TRIGGER c AFTER UPDATE ON watched REFERENCING OLD TABLE AS rows_before NEW TABLE AS rows_after
      FOR EACH STATEMENT EXECUTE FUNCTION note_changed()`)
    await one.rows(`INSERT INTO watched SELECT CASE WHEN n > 6 THEN 'b' ELSE 'a' END, 0 FROM generate_series(1, 9) n`)
    await one.rows(`UPDATE watched SET gone = 1 WHERE name = 'a'`)
    await one.rows('BEGIN; UPDATE watched SET gone = 1; ROLLBACK')
    const living = [
      { name: 'a', n: 0 },
      { name: 'b', n: 3 },
    ]
    agree('rows that are left', await one.rows('SELECT name, n FROM watched_left ORDER BY name'), living)
  },

  async deferred(bench) {
    const one = await bench.session()
    await one.rows('CREATE TABLE judged (n int)')
    await one.rows(`CREATE FUNCTION judge() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF (SELECT sum(n) > 3 FROM judged) THEN RAISE EXCEPTION 'too many' USING ERRCODE = '23514'; END IF; RETURN NULL; END $$`)
    await one.rows(
      'CREATE CONSTRAINT TRIGGER j AFTER INSERT ON judged DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION judge()',
    )
    await one.rows('BEGIN; INSERT INTO judged VALUES (9); UPDATE judged SET n = 3; COMMIT')
    await one.rows('BEGIN; INSERT INTO judged VALUES (1)')
    await one.refused(['23514'], 'COMMIT')
    agree('what is left', await one.rows('SELECT sum(n)::int AS n FROM judged'), [{ n: 3 }])
  },

  async partitions(bench) {
    const one = await bench.session()
    await one.rows('CREATE TABLE log (id int, time timestamptz, PRIMARY KEY (id, time)) PARTITION BY RANGE (time)')
    await one.rows('CREATE TABLE log_rest PARTITION OF log DEFAULT')
    await one.rows(`INSERT INTO log VALUES (1, '2026-01-15Z')`)
    await undone(one, async () => {
      await one.rows('LOCK TABLE ONLY log IN SHARE ROW EXCLUSIVE MODE')
      await one.rows('CREATE TABLE log_01 (LIKE log INCLUDING DEFAULTS)')
      await one.rows('WITH moved AS (DELETE FROM log_rest RETURNING *) INSERT INTO log_01 SELECT * FROM moved')
      await one.rows(`ALTER TABLE log ATTACH PARTITION log_01 FOR VALUES FROM ('2026-01-01Z') TO ('2026-02-01Z')`)
      agree('rows of a part', await one.rows(`SELECT count(*)::int AS n FROM log WHERE time < '2026-02-01Z'`), [
        { n: 1 },
      ])
      const bounds = `SELECT pg_get_expr(c.relpartbound, c.oid) LIKE 'FOR VALUES FROM (%) TO (%)' AS told FROM pg_inherits i
        JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'log'::regclass AND c.relname = 'log_01'`
      agree('bounds', await one.rows(bounds), [{ told: true }])
      await one.rows('ALTER TABLE log DETACH PARTITION log_01')
      await one.rows('DROP TABLE log_01')
      agree('rows of the rest', await one.rows('SELECT count(*)::int AS n FROM log'), [{ n: 0 }])
    })
  },

  async tablesUndone(bench) {
    const one = await bench.session()
    await one.rows('CREATE TABLE kept (n varchar(5)); INSERT INTO kept VALUES (1)')
    await undone(one, async () => {
      await one.rows('CREATE TABLE made (n int)')
      await one.rows(`ALTER TABLE kept ADD COLUMN more int DEFAULT 3, ALTER COLUMN n TYPE varchar(50)`)
      await one.rows('CREATE INDEX kept_n ON kept (n)')
      agree('the changed table', await one.rows('SELECT n, more FROM kept'), [{ n: '1', more: 3 }])
    })
    agree(
      'what is left',
      await one.rows(`SELECT to_regclass('made') AS made, to_regclass('kept_n') AS index, k.* FROM kept k`),
      [{ made: null, index: null, n: '1' }],
    )
  },

  async besides(bench) {
    const [one, two] = (await sessions(bench, 2)) as [Session, Session]
    await one.rows('CREATE TABLE besides (n int)')
    await two.rows('BEGIN')
    await two.rows('INSERT INTO besides SELECT generate_series(1, 500)')
    const building = one.rows('CREATE UNIQUE INDEX CONCURRENTLY besides_n ON besides (n)')
    // It waits for a writer, and no writer for it.
    await two.rows(`SET LOCAL lock_timeout = '2s'`)
    await two.rows('INSERT INTO besides VALUES (501)')
    await two.rows('COMMIT')
    await building
    const valid = `SELECT i.indisvalid AS valid FROM pg_index i WHERE i.indexrelid = 'besides_n'::regclass`
    agree('the index', await one.rows(valid), [{ valid: true }])
    await one.rows('DROP INDEX CONCURRENTLY besides_n')
  },

  async catalogue(bench) {
    const one = await bench.session()
    await one.rows(`CREATE TABLE shown (id bigint PRIMARY KEY, name varchar(20) DEFAULT '中' NOT NULL, amount numeric(20,4),
      time timestamptz DEFAULT now(), CONSTRAINT c_shown CHECK (id > 0))`)
    const { tables } = await readFound(one.client, ['shown'])
    const { bytes, ...shown } = tables.shown ?? { bytes: 0 }
    agree(
      'a table',
      { ...shown, bytes: typeof bytes },
      {
        name: 'shown',
        partitioned: false,
        columns: {
          id: { type: 'bigint', required: true, preset: null },
          name: { type: 'character varying(20)', required: true, preset: `'中'::character varying` },
          amount: { type: 'numeric(20,4)', required: false, preset: null },
          time: { type: 'timestamp with time zone', required: false, preset: 'now()' },
        },
        indexes: { shown_pkey: true },
        held: [],
        rules: { c_shown: true },
        bytes: 'number',
      },
    )
  },

  async primary(bench) {
    const { rows } = await bench.session()
    const found = await rows('SELECT pg_is_in_recovery() AS standby, pg_walfile_name(pg_current_wal_lsn()) AS wal')
    agree('a primary', [found[0]?.standby, /^[0-9A-F]{24}$/.test(String(found[0]?.wal))], [false, true])
  },

  async roleSettings(bench) {
    const one = await bench.session()
    const [found] = await one.rows('SELECT current_database() AS name')
    await undone(one, async () => {
      const database = one.client.escapeIdentifier(String(found?.name))
      await one.rows(`ALTER ROLE CURRENT_USER IN DATABASE ${database} SET lock_timeout = '3s'`)
    })
  },

  async copy(bench) {
    const one = await bench.session()
    await one.rows('CREATE TABLE copied (n int, name text)')
    await one.rows('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    await one.client.query('COPY (SELECT n, name FROM copied) TO STDOUT')
    await one.rows('ROLLBACK')
  },

  async replication(bench) {
    const { client } = await bench.session({ replication: 'true' } as pg.ClientConfig)
    const { rows } = await client.query('IDENTIFY_SYSTEM')
    agree('what it says', Object.keys(rows[0] ?? {}), ['systemid', 'timeline', 'xlogpos', 'dbname'])
  },
}

/** A table of its own whose type a probe names. */
async function tableOf(rows: Session['rows'], name: string, columns: string): Promise<string> {
  await rows(`CREATE TABLE ${name} (${columns})`)
  return name
}

/** Whoever skips a locked row gets the next one at once. */
async function keepsFree(bench: Bench): Promise<void> {
  const [one, two] = (await sessions(bench, 2)) as [Session, Session]
  await one.rows('CREATE TABLE skipped (id int PRIMARY KEY)')
  await one.rows('INSERT INTO skipped VALUES (1), (2)')
  const next = 'SELECT id FROM skipped ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED'
  await undone(one, async () => {
    agree('the first row', await one.rows(next), [{ id: 1 }])
    await two.rows(`SET lock_timeout = '500ms'`)
    agree('the row after a locked one', await two.rows(next), [{ id: 2 }])
  })
}
