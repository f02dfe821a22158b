import {
  type KyselyPlugin,
  PostgresQueryCompiler,
  type QueryId,
  RawNode,
  type RootOperationNode,
  SelectQueryNode,
} from 'kysely'

const compiler = new PostgresQueryCompiler()

/** A query that asks for rows without locking them, and locks nothing by name. */
function unlocked(node: RootOperationNode): RootOperationNode {
  if (SelectQueryNode.is(node) && node.endModifiers)
    return { ...node, endModifiers: node.endModifiers.filter(one => !/^For/.test(one.modifier ?? '')) }
  const isLock = RawNode.is(node) && node.sqlFragments.some(text => text.includes('pg_advisory_xact_lock'))
  return isLock ? RawNode.createWithSql('SELECT 1') : node
}

interface Options {
  /** False leaves the locks as they are, for the same pause with them. */
  unlocked: boolean
  /** The query after whose answer it waits, told by its text: the moment between reading and writing. */
  after: RegExp
  pause: () => Promise<unknown>
}

/**
 * Stands in for the locks of a database: `db.withPlugin(lockDouble(…))` takes none and stretches the moment between reading and
 * writing, which shows what the locks are for.
 */
export function lockDouble(options: Options): KyselyPlugin {
  const met = new WeakSet<QueryId>()
  return {
    transformQuery({ node, queryId }) {
      if (options.after.test(compiler.compileQuery(node, queryId).sql)) met.add(queryId)
      return options.unlocked ? unlocked(node) : node
    },
    async transformResult({ queryId, result }) {
      if (met.has(queryId)) await options.pause()
      return result
    },
  }
}
