import Fastify, { type FastifyInstance, LogController } from 'fastify'
import { resources } from '#resources'
import { entities } from '#schemas'
import { handlers, hooks } from './actions/index.ts'
import type { Config } from './config.ts'
import { checkDefinitions } from './crud/definitions.ts'
import exportQueue from './crud/export-queue.ts'
import foreignRows from './crud/foreign.ts'
import generatedRoutes from './crud/routes.ts'
import { tablesOf } from './crud/table.ts'
import { seedBase } from './database/seed/base/index.ts'
import { retryAfter, type Unavailable, unavailable } from './domain/unavailable.ts'
import audit from './plugins/audit.ts'
import auth from './plugins/auth.ts'
import availability from './plugins/availability.ts'
import body from './plugins/body.ts'
import captcha from './plugins/captcha.ts'
import cipher from './plugins/cipher.ts'
import clock from './plugins/clock.ts'
import closing from './plugins/closing.ts'
import compress from './plugins/compress.ts'
import database from './plugins/database.ts'
import drawings from './plugins/drawings.ts'
import envelope, { bodyLimit, ok } from './plugins/envelope.ts'
import gateway, { gatewaySite } from './plugins/gateway.ts'
import securityHeaders from './plugins/helmet.ts'
import idempotency from './plugins/idempotency.ts'
import jobs from './plugins/jobs.ts'
import journal from './plugins/journal.ts'
import logging, { loggerOptions } from './plugins/logging.ts'
import openapi from './plugins/openapi.ts'
import payChannel from './plugins/pay-channel.ts'
import permissions from './plugins/permissions.ts'
import query, { parseQuery } from './plugins/query.ts'
import sameOrigin from './plugins/same-origin.ts'
import scraping from './plugins/scraping.ts'
import smsChannel from './plugins/sms-channel.ts'
import staticFiles from './plugins/static.ts'
import storage from './plugins/storage.ts'
import textForm from './plugins/text-form.ts'
import untrustedProxy from './plugins/untrusted-proxy.ts'
import { validatorCompiler } from './plugins/validation.ts'
import vault from './plugins/vault.ts'
import work from './plugins/work.ts'
import { routes } from './routes/index.ts'
import { inBothLanguages, siteByLanguage } from './routes/site.ts'

/**
 * Milliseconds: a head must have come after one minute, a whole request after ten (a large upload over a slow line; before
 * that its pace is looked at), and a connection without a request is kept for longer than a proxy keeps its own.
 */
const times = { http: { headersTimeout: 60_000 }, requestTimeout: 600_000, keepAliveTimeout: 75_000 }

/**
 * Builds the server: everything is ready, nothing listens. `close()` ends running requests, the pool and the embedded database.
 * @param prepare adds to the app before it is ready; the tests' door
 * @throws when the definitions do not fit together, a route does not say who may call it, or the database cannot be opened
 */
export async function buildApp(config: Config, prepare?: (app: FastifyInstance) => void): Promise<FastifyInstance> {
  const app = Fastify({
    logger: loggerOptions(config),
    bodyLimit,
    exposeHeadRoutes: false,
    // The first start makes a database; on a slow machine that takes longer than the ten seconds a plugin is given.
    pluginTimeout: 0,
    logController: new LogController({ disableRequestLogging: true }),
    ...times,
    trustProxy: config.trustProxy.length > 0 && [...config.trustProxy],
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200, querystringParser: parseQuery },
    genReqId: () => crypto.randomUUID().slice(0, 13),
  })
  app.setValidatorCompiler(validatorCompiler)
  try {
    await app.register(clock, { config })
    await app.register(logging)
    await app.register(closing)
    await app.register(envelope)
    await app.register(query)
    await app.register(securityHeaders)
    if (config.bladeApi) await app.register(gateway, config)
    else await registerServer(app)
    prepare?.(app)
    await app.register(staticFiles, {
      site: async () => (config.bladeApi ? inBothLanguages(gatewaySite(config)) : siteByLanguage(app)),
    })
    await app.ready()
  } catch (error) {
    await app.close()
    throw error
  }
  return app
}

/** The server proper: what a gateway to another Blade server does without. */
async function registerServer(app: FastifyInstance): Promise<void> {
  checkDefinitions(resources)
  await app.register(database, { tables: tablesOf(entities) })
  await app.register(availability)
  await app.register(untrustedProxy)
  await app.register(vault)
  await app.register(journal)
  await app.register(audit)
  await app.register(idempotency)
  await seedBase(app)
  await app.register(storage)
  await app.register(body)
  await app.register(textForm)
  await app.register(captcha)
  await app.register(cipher)
  await app.register(auth)
  await app.register(permissions)
  await app.register(work)
  await app.register(sameOrigin)
  await app.register(scraping)
  await app.register(foreignRows)
  await app.register(openapi)
  await app.register(jobs)
  await app.register(drawings)
  await app.register(exportQueue)
  await app.register(payChannel)
  await app.register(smsChannel)
  await app.register(compress)
  app.get('/api/public/health', { config: { access: 'public', withoutDatabase: true } }, async (_request, reply) => {
    const { database, disk } = await app.health()
    if (database === 'up' && disk === 'up') return ok({ status: 'up', database, disk })
    const { code, message } = unavailable(database === 'up' ? (disk as Unavailable) : database)
    reply.code(503).header('retry-after', String(retryAfter))
    return { code, success: false, data: { status: 'down', database, disk }, msg: message }
  })
  for (const route of routes) await app.register(route)
  await app.register(generatedRoutes, { hooks, handlers })
}
