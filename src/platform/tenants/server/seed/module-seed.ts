import type { HookContext } from '../../../../crud/rules.ts'
import type { Seeding } from './tenant.ts'

/** What a module gives tenants to begin with. */
export interface ModuleSeed {
  /** What the rows are made from, as JSON: when it has changed, the next start calls {@link installation} again. */
  readonly source: unknown
  /** Adds what is missing to the first tenant, from which others are copied. */
  readonly installation: (seeding: Seeding) => Promise<void>
  /** Fills a tenant that is being created, in its transaction; not given where new tenants begin without. */
  readonly tenant?: (ctx: HookContext, tenantId: string) => Promise<void>
}

declare module '../../../http/server/extensions.ts' {
  interface Extensions {
    /** In the order in which they are made. */
    seeds: readonly ModuleSeed[]
  }
}
