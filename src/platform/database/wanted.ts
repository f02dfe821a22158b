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

/** A CHECK or a foreign key of one column. Its name carries a mark of what it says: a rule that changes is another one. */
export interface WantedRule {
  readonly kind: 'check' | 'key'
  readonly column: string
  /** What stands after `CONSTRAINT name`. */
  readonly sql: string
  /** Condition that rows of the table, called `t`, meet which break the rule; `{column}` stands for the column. */
  readonly broken: string
  /** What a row that breaks it does, as the end of a sentence that begins with the number of rows. */
  readonly says: string
  /** The unique index of the other table that a key needs. */
  readonly index?: string
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
  readonly partition: 'month' | null
  /** Columns that stay in the table although no field of the entity is kept in them. */
  readonly retired: readonly string[]
}

/** Quotes a name for SQL. */
export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`
/** Writes a value as SQL. */
export const quoteValue = (value: string | number): string =>
  typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`
