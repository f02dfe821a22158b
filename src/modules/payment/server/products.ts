import type { FastifyInstance } from 'fastify'
import type { PayBizType } from '#schemas/dictionaries'
import type { LiveTrx } from '../../../platform/database/live.ts'
import type { Person } from '../../../platform/http/server/access.ts'
import type { OpenOrder, OrderRow } from './context.ts'

/** Who buys, from where. */
export interface Buyer {
  person: Person
  ip: string
}

/** What an order pays for, locked until the transaction ends. */
export interface Purchase {
  /** Why money for it may not count; null when it does. */
  readonly objection: string | null
  /** Books it as paid by an order. */
  complete(payOrderId: string): Promise<void>
}

/** Something that is sold besides the taking of an exam. */
export interface Product {
  /** The permission to buy it. */
  readonly permission: string
  /** The order that pays a purchase which the buyer may see. @throws what the module that sells it refuses with */
  order(app: FastifyInstance, buyer: Buyer, purchaseId: string): Promise<OpenOrder>
  /** A purchase of a tenant, locked; undefined when there is none of this id. */
  lock(db: LiveTrx, purchaseId: string, at: { tenantId: string; now: Date }): Promise<Purchase | undefined>
}

/** What later modules sell, by the kind of business that their orders have. */
export type Products = Readonly<Record<Exclude<OrderRow['bizType'], typeof PayBizType.examFee>, Product>>

declare module '../../../platform/http/server/extensions.ts' {
  interface Extensions {
    products: Products
  }
}
