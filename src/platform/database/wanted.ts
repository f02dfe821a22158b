/** A column as a definition wants it. */
export interface WantedColumn {
  /** As `format_type` shows it. */
  readonly type: string
  /** SQL of the default, null for none. */
  readonly preset: string | null
  readonly required: boolean
  /** The name that the column had before. */
  readonly renamed?: string
}

const column = (type: string, preset: string | null): WantedColumn => ({ type, preset, required: preset !== null })

/** The columns that the table of every entity has. */
export const baseColumns: Readonly<Record<string, WantedColumn>> = {
  id: column('bigint', 'next_id()'),
  tenantId: column('character varying(12)', `'000000'`),
  createUser: column('bigint', null),
  createDept: column('bigint', null),
  createTime: column('timestamp with time zone', 'now()'),
  updateUser: column('bigint', null),
  updateTime: column('timestamp with time zone', 'now()'),
  status: column('integer', '1'),
  isDeleted: column('integer', '0'),
}

/** The migration that came with required values, choices, limits and foreign keys. */
export const firstRules = '400-schema.before'

/** A CHECK or a foreign key. Its name carries a mark of what it says: a rule that changes is another one. */
export interface WantedRule {
  /** `asked`: a CHECK of a value that a row must have because of its other values. */
  readonly kind: 'check' | 'asked' | 'key'
  /** The column that the rule is about. */
  readonly column: string
  /** Further columns that it looks at. */
  readonly others?: readonly string[]
  /** What stands after `CONSTRAINT name`. */
  readonly sql: string
  /** Condition that rows of the table, called `t`, meet which break the rule; `{name}` stands for the column of that name. */
  readonly broken: string
  /** What a row that breaks it does, as the end of a sentence that begins with the number of rows. */
  readonly says: string
  /** The unique index of the other table that a key needs. */
  readonly index?: string
  /**
   * The migration that came with this kind of rule: rows that break it in a database where the migration has not run were
   * there before the rule.
   */
  readonly since: string
}

/** The table whose ids stand, comma-joined, in a column. */
export interface WantedList {
  readonly table: string
  /** The rows named are of the tenant of the row that names them. */
  readonly isWithinTenant: boolean
}

/** A table as a definition wants it. */
export interface WantedTable {
  readonly name: string
  readonly columns: Readonly<Record<string, WantedColumn>>
  /** The statement that makes each index, by name. */
  readonly indexes: Readonly<Record<string, string>>
  /** Indexes that need `pg_trgm`. */
  readonly trigramIndexes: Readonly<Record<string, string>>
  readonly rules: Readonly<Record<string, WantedRule>>
  /** Columns with several ids in one text, which no key can hold. */
  readonly lists: Readonly<Record<string, WantedList>>
  readonly partition: 'month' | null
  /** Columns that stay in the table although no field of the entity is kept in them. */
  readonly retired: readonly string[]
}

/** Quotes a name for SQL. */
export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`
/** Writes a value as SQL. */
export const quoteValue = (value: string | number): string =>
  typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`
