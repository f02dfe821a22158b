/** What the program asks of a database. */
export interface Feature {
  /** As it is called in the table. */
  readonly name: string
  /** Whether the program does without it. */
  readonly need: 'needed' | 'optional'
  /** What it is for; for an optional one, how the program does without it. */
  readonly use: string
  /** Finds its places in the sources of the server; null for what every statement needs. */
  readonly pattern: RegExp | null
}

const needed = (name: string, use: string, pattern: RegExp | null): Feature => ({ name, need: 'needed', use, pattern })
const optional = (name: string, use: string, pattern: RegExp): Feature => ({ name, need: 'optional', use, pattern })

/** Every feature that is probed, in the order of the table. */
export const features = {
  values: needed('types of values', 'what the driver reads and sends, as texts and as bytes', null),
  arrays: needed('arrays', 'many values as one parameter', /\bANY\s*\(|\bunnest\(|\bARRAY\[/gi),
  settings: needed(
    'settings of a session at its start',
    'time zone, and limits of waiting for locks and statements',
    /\boptions: sessionOptions\b|\b(?:lock|statement)_timeout\b/g,
  ),
  prepared: needed(
    'named statements',
    'look-ups at every call, parsed once for each connection',
    /\bname: '\w+',\s*text:/g,
  ),
  texts: needed('Chinese texts', 'lists are searched and put in order by them', /\bILIKE\b|'ilike'/gi),
  time: needed('times of Asia/Shanghai', 'days and months as people count them', /AT TIME ZONE|\btimestamptz\b/gi),
  onConflict: needed(
    'INSERT … ON CONFLICT',
    'a row that two make at once is there once',
    /ON CONFLICT|\.onConflict\(/gi,
  ),
  returning: needed('RETURNING', 'what a change has changed', /\bRETURNING\b(?!\()|\.returning(?:All)?\(/gi),
  forUpdate: needed(
    'FOR UPDATE, FOR NO KEY UPDATE',
    'rows that one changes at a time',
    /\bFOR (?:NO KEY )?UPDATE\b|\.for(?:NoKey)?Update\(/gi,
  ),
  forShare: needed(
    'FOR SHARE, FOR KEY SHARE',
    'rows that others may read and not change',
    /\bFOR (?:KEY )?SHARE\b|\.for(?:Key)?Share\(/gi,
  ),
  skipLocked: needed(
    'SKIP LOCKED',
    'the queue: nobody waits for work that another is taking',
    /\bSKIP LOCKED\b|\.skipLocked\(/gi,
  ),
  recheck: needed(
    'a condition is looked at again after waiting',
    'of two changes of a state at once one finds no row',
    /\bREAD COMMITTED\b|\.updateTable\(/gi,
  ),
  transactionLocks: needed(
    'advisory locks of a transaction',
    'numbers, trees, ledgers, imports',
    /\bpg_(?:try_)?advisory_xact_lock/g,
  ),
  sessionLocks: needed(
    'advisory locks of a session, and their list',
    'one process changes tables, rotates keys, moves files',
    /\bpg_(?:try_)?advisory_(?:un)?lock|\bpg_locks\b/g,
  ),
  notifications: optional(
    'LISTEN',
    'without it each process asks every two seconds whether there is a new key',
    /`(?:LISTEN|NOTIFY) /g,
  ),
  uniques: needed(
    'unique indexes with a condition',
    'one living row of a name, also when many come at once',
    /\bCREATE UNIQUE INDEX\b|\buniques: \[/g,
  ),
  rules: needed(
    'CHECK and foreign keys, put on without a look at the rows',
    'what rows must keep',
    /\bNOT VALID\b|\bVALIDATE CONSTRAINT\b|\bADD CONSTRAINT\b/g,
  ),
  trigram: optional(
    'parts of Chinese texts in an index (pg_trgm)',
    'without it searches are as right, and slower in large lists',
    /\bgin_trgm_ops\b|\bpg_trgm\b/g,
  ),
  jsonb: needed('jsonb', 'forms, rules and answers', /\bjsonb(?:_\w+)?\b|->>/g),
  json: needed(
    'rows and lists as JSON',
    'answers are made in the database',
    /\brow_to_json\b|\bjson_(?:agg|build_object|object_agg)\b/gi,
  ),
  filter: needed('FILTER of sums and counts', 'statistics', /\bFILTER\s*\(WHERE|\.filterWhere\(/gi),
  lateral: needed('LATERAL', 'the newest row of each', /\bLATERAL\b|JoinLateral\(/gi),
  recursive: needed('WITH RECURSIVE', 'trees', /\bWITH RECURSIVE\b|\.withRecursive\(/gi),
  cursors: needed('cursors', 'exports are read in portions', /\bDECLARE \w+ NO SCROLL CURSOR\b|`FETCH /g),
  ids: needed('a sequence and a function as default', 'ids of all rows', /\bnext_id\(\)|\bnextval\(/g),
  triggers: needed(
    'triggers of a statement, PL/pgSQL',
    'counts of changes, the stamp of grants, the guard of the security log',
    /\bCREATE TRIGGER\b|\bLANGUAGE plpgsql\b/gi,
  ),
  transitions: needed(
    'triggers that see all rows of a statement',
    'totals of whole lists are kept',
    /\bREFERENCING (?:NEW|OLD) TABLE\b/gi,
  ),
  deferred: needed(
    'triggers at the commit',
    'places of a position are counted and judged there',
    /\bCONSTRAINT TRIGGER\b/gi,
  ),
  partitions: needed(
    'partitions by range, LOCK TABLE',
    'logs of a month are dropped whole',
    /\bPARTITION (?:BY|OF)\b|\bATTACH PARTITION\b|\bLOCK TABLE\b/g,
  ),
  tablesUndone: needed(
    'tables are changed in a transaction',
    'a change that fails leaves everything as it was',
    /\bALTER TABLE\b/g,
  ),
  besides: needed('CREATE INDEX CONCURRENTLY', 'indexes of big tables, while others write', /\bINDEX CONCURRENTLY\b/g),
  catalogue: needed(
    'the catalogue of tables',
    'the database is compared with the definitions',
    /\bpg_(?:class|attribute|attrdef|index|constraint|trigger|inherits)\b/g,
  ),
  schema: needed('all tables of this program', 'they are made and then found as they were made', null),
  primary: optional(
    'tells a standby from a primary',
    'without it DATABASE_URL can name one host only',
    /\bpg_is_in_recovery\b|\bpg_walfile_name\b/g,
  ),
  roleSettings: optional(
    'settings of a role in one database',
    'without them no pooler in transaction mode can stand before it',
    /\bALTER ROLE CURRENT_USER\b/g,
  ),
  copy: optional(
    'COPY of a snapshot',
    'without it backups with --logical are not possible',
    /\bCOPY \(|\bCOPY \$|REPEATABLE READ/g,
  ),
  replication: optional(
    'the protocol of replication',
    'without it, or without a role that may use it, backups are possible with --logical only',
    /\bBASE_BACKUP\b|\bSTART_REPLICATION\b|\bIDENTIFY_SYSTEM\b/g,
  ),
} as const satisfies Record<string, Feature>

/** Name of a feature. */
export type FeatureName = keyof typeof features
