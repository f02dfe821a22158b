import Fastify, { type FastifyInstance, LogController } from 'fastify'
import { resources, views } from '#resources'
import { domainEvents } from '#resources/events'
import { sheets } from '#resources/sheets'
import { workspaces } from '#resources/workspaces'
import { entities } from '#schemas'
import { checkDefinitions } from '../crud/definitions.ts'
import exportQueue from '../crud/export-queue.ts'
import foreignRows from '../crud/foreign.ts'
import generatedRoutes from '../crud/routes.ts'
import { ruleRefusal } from '../crud/rule-refusal.ts'
import { tablesOf } from '../crud/table.ts'
import { inBothLanguages, siteByLanguage } from '../modules/desk/server/routes/site.ts'
import payChannel from '../modules/payment/server/channels.ts'
import { placeRefusal } from '../modules/sign-up/server/choices.ts'
import permissions from '../platform/access/server/permissions.ts'
import audit from '../platform/audit/server/audit.ts'
import journal from '../platform/audit/server/journal.ts'
import scraping from '../platform/audit/server/scraping.ts'
import auth from '../platform/auth/server/auth.ts'
import captcha from '../platform/auth/server/captcha.ts'
import cipher from '../platform/auth/server/cipher.ts'
import signInQueue from '../platform/auth/server/sign-in-queue.ts'
import mailChannel from '../platform/channels/mail/mail-channel.ts'
import smsChannel from '../platform/channels/sms/sms-channel.ts'
import wechatChannel from '../platform/channels/wechat/wechat-channel.ts'
import type { Config } from '../platform/config/config.ts'
import { limits } from '../platform/config/limits.ts'
import database from '../platform/database/database.ts'
import storage from '../platform/files/storage.ts'
import availability from '../platform/http/server/availability.ts'
import behindAnswers from '../platform/http/server/behind-answers.ts'
import body from '../platform/http/server/body.ts'
import clock from '../platform/http/server/clock.ts'
import closing from '../platform/http/server/closing.ts'
import compress from '../platform/http/server/compress.ts'
import envelope, { bodyLimit } from '../platform/http/server/envelope.ts'
import gateway, { gatewaySite } from '../platform/http/server/gateway.ts'
import securityHeaders from '../platform/http/server/helmet.ts'
import idempotency from '../platform/http/server/idempotency.ts'
import type { Listener } from '../platform/http/server/listener.ts'
import logging, { loggerOptions } from '../platform/http/server/logging.ts'
import openapi from '../platform/http/server/openapi.ts'
import overload from '../platform/http/server/overload.ts'
import query, { parseQuery } from '../platform/http/server/query.ts'
import readiness from '../platform/http/server/readiness.ts'
import { addRefusals } from '../platform/http/server/refusal.ts'
import sameOrigin from '../platform/http/server/same-origin.ts'
import staticFiles from '../platform/http/server/static.ts'
import textForm from '../platform/http/server/text-form.ts'
import untrustedProxy from '../platform/http/server/untrusted-proxy.ts'
import { validatorCompiler } from '../platform/http/server/validation.ts'
import meters from '../platform/metrics/metrics.ts'
import drawings from '../platform/pdf/drawings.ts'
import jobs from '../platform/queue/jobs.ts'
import nodes from '../platform/queue/nodes.ts'
import processors from '../platform/queue/processors.ts'
import queue from '../platform/queue/queue.ts'
import work from '../platform/queue/work.ts'
import { seedBase } from '../platform/tenants/server/seed/index.ts'
import tracing from '../platform/tracing/tracing.ts'
import vault from '../platform/vault/vault.ts'
import { extensions } from './extensions.ts'
import { refusals } from './refusals.ts'
import { routes } from './routes.ts'
import { rules } from './rules.ts'
import { sheetRulesList } from './sheets.ts'

/** How long connections and requests may take, where Fastify makes the server itself. */
const times = {
  http: { headersTimeout: limits.headers },
  requestTimeout: limits.request,
  keepAliveTimeout: limits.keepAlive,
}

/**
 * Builds the server: everything is ready, nothing listens. `close()` ends running requests, the pool and the embedded database.
 * @param prepare adds to the app before it is ready; the tests' door
 * @param watch adds to the app before anything else, to see what every call does; the tests' other door
 * @param listener listens already, and takes its calls to the app when that is told to; by default the app listens by itself
 * @param order the order to end, which may come before everything is ready: what waits for the database then throws its reason
 * @throws when the definitions do not fit together, a route does not say who may call it, or the database cannot be opened
 */
export async function buildApp(
  config: Config,
  prepare?: (app: FastifyInstance) => void,
  watch?: (app: FastifyInstance) => void,
  listener?: Listener,
  order?: AbortSignal,
): Promise<FastifyInstance> {
  addRefusals(refusals)
  const app = Fastify({
    logger: loggerOptions(config),
    bodyLimit,
    exposeHeadRoutes: false,
    // The first start makes a database; on a slow machine that takes longer than the ten seconds a plugin is given.
    pluginTimeout: 0,
    logController: new LogController({ disableRequestLogging: true }),
    ...(listener ? { serverFactory: () => listener.server } : times),
    trustProxy: config.trustProxy.length > 0 && [...config.trustProxy],
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200, querystringParser: parseQuery },
    genReqId: () => crypto.randomUUID().slice(0, 13),
  })
  app.setValidatorCompiler(validatorCompiler)
  watch?.(app)
  try {
    await app.register(clock, { config })
    await app.register(meters)
    await app.register(logging)
    await app.register(tracing)
    await app.register(closing, { order })
    await app.register(envelope, { ruleRefusal: error => ruleRefusal(error) ?? placeRefusal(error) })
    await app.register(query)
    await app.register(securityHeaders)
    if (config.bladeApi) {
      await app.register(compress)
      await app.register(readiness)
      await app.register(gateway, config)
    } else await registerServer(app)
    prepare?.(app)
    await app.register(staticFiles, {
      site: async () => (config.bladeApi ? inBothLanguages(gatewaySite(config)) : siteByLanguage(app)),
    })
    if (listener) closeWith(app, listener)
    await app.ready()
  } catch (error) {
    await app.close()
    throw error
  }
  return app
}

/** Closes a listener with its app: running calls end before anything that they need does. */
function closeWith(app: FastifyInstance, listener: Listener): void {
  let closed: Promise<void> | undefined
  app.addHook('preClose', async () => {
    // Work in the background stops meanwhile.
    closed = app.finish('calls under way', listener.close(), () => listener.underWay)
  })
  // Of these hooks the last one that was added runs first.
  app.addHook('onClose', () => closed)
}

/** The server proper: what a gateway to another Blade server does without. */
async function registerServer(app: FastifyInstance): Promise<void> {
  checkDefinitions(resources, rules, extensions.scopes, views, { sheets, rules: sheetRulesList }, workspaces, [
    ...domainEvents.values(),
  ])
  app.decorate('extensions', extensions)
  await app.register(database, { tables: tablesOf(entities) })
  await app.register(availability)
  await app.register(overload)
  await app.register(untrustedProxy)
  await app.register(vault)
  await app.register(journal)
  await app.register(behindAnswers)
  await app.register(audit)
  await app.register(idempotency)
  if (!app.isBehind) await seedBase(app)
  await app.register(storage)
  await app.register(body)
  await app.register(textForm)
  await app.register(captcha)
  await app.register(cipher)
  await app.register(signInQueue)
  await app.register(auth)
  await app.register(permissions)
  await app.register(work)
  await app.register(sameOrigin)
  await app.register(scraping)
  await app.register(foreignRows)
  await app.register(openapi)
  await app.register(jobs)
  await app.register(queue)
  await app.register(nodes)
  await app.register(processors)
  await app.register(drawings, { program: async () => (await import('./drawing-thread.ts?thread')).default })
  await app.register(exportQueue)
  await app.register(payChannel)
  await app.register(smsChannel)
  await app.register(mailChannel)
  await app.register(wechatChannel)
  await app.register(compress)
  await app.register(readiness)
  for (const route of routes) await app.register(route)
  await app.register(generatedRoutes, { rules })
}
