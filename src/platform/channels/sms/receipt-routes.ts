import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { sent, serve } from '../../http/server/serve.ts'
import { accountById } from './accounts.ts'
import { smsReceipts } from './contract.ts'
import { providerKinds } from './providers.ts'
import { takeInReceipts } from './receipts.ts'

/** Largest call, in bytes, and receipts in one. */
const limits = { body: 262_144, receipts: 1000 }

const kinds = providerKinds()

/** The end of the address at which a provider tells of the messages of an account. Nothing but this installation can work it out. */
const secretOf = ({ vault }: Pick<FastifyInstance, 'vault'>, accountId: string): string =>
  vault.hash('sms receipts', accountId)

/** Path of that address below `/api`. */
export const receiptPath = (app: Pick<FastifyInstance, 'vault'>, accountId: string): string =>
  smsReceipts.path.replace(':accountId', accountId).replace(':secret', secretOf(app, accountId))

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/**
 * Takes receipts that providers send. Anybody can make the call, and no provider proves who it is: the address is secret, and what is
 * said counts for messages of its account alone, to the phones that they went to.
 */
export default async function receiptRoutes(app: FastifyInstance): Promise<void> {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: limits.body }, (_request, body, done) =>
    done(null, body),
  )
  serve(app, smsReceipts, async ({ request, reply }) => {
    const { accountId = '', secret = '' } = request.params as Record<string, string>
    const isRight = timingSafeEqual(digest(secret), digest(secretOf(app, accountId)))
    const account = isRight ? await accountById(app, accountId) : undefined
    const kind = account && kinds.get(account.category)
    if (!kind) return sent(reply.code(404).send())
    let told: ReturnType<typeof kind.readReceipts>
    try {
      told = kind.readReceipts(String(request.body ?? '')).slice(0, limits.receipts)
    } catch {
      return sent(reply.code(400).send())
    }
    await takeInReceipts(app, account, told)
    return sent(reply.type(kind.thanks.type).send(kind.thanks.body))
  })
}
