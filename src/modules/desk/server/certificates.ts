import { X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import tls from 'node:tls'
import type { FastifyInstance } from 'fastify'
import { firstTenant } from '../../../platform/database/first-tenant.ts'
import { liveFor } from '../../../platform/database/live.ts'
import type { HealthSign } from '../contract.ts'

/** Days before its end at which a certificate is to be renewed: programs that do so by themselves are done with it by then. */
const soon = 14
/** Milliseconds in which a server has to show its certificate. */
const patience = 3000
const day = 86_400_000

type Around = Pick<FastifyInstance, 'db' | 'now' | 'config'>

/** Until when the certificate of an https address holds, whoever signed it; null when it cannot be read from here. */
export function endOfCertificate({ hostname, port }: URL, time = patience): Promise<Date | null> {
  const host = hostname.replace(/^\[|\]$/g, '')
  return new Promise(resolve => {
    const socket = tls.connect({
      host,
      port: Number(port || 443),
      ...(isIP(host) === 0 && { servername: host }),
      // One that has expired is to be read, too; nothing is sent.
      rejectUnauthorized: false,
      timeout: time,
    })
    const timer = setTimeout(() => socket.destroy(), time)
    let found: Date | null = null
    socket
      .once('secureConnect', () => {
        const end = new Date(socket.getPeerCertificate().valid_to)
        if (!Number.isNaN(end.getTime())) found = end
        socket.destroy()
      })
      .on('error', () => {})
      .once('timeout', () => socket.destroy())
      .once('close', () => {
        clearTimeout(timer)
        resolve(found)
      })
  })
}

const signOf = (code: HealthSign['code'], end: Date, now: Date, text: string): HealthSign => {
  const days = Math.floor((end.getTime() - now.getTime()) / day)
  return { code, isBad: days < soon, num: days, text }
}

/** The certificate of the address by which everybody comes. */
async function siteSign({ config, now }: Around): Promise<HealthSign> {
  const url = config.publicUrl ? new URL(config.publicUrl) : null
  if (url?.protocol !== 'https:') return { code: 'certificate-none', isBad: false, num: 0, text: '' }
  const end = await endOfCertificate(url)
  return end
    ? signOf('certificate', end, now(), url.host)
    : { code: 'certificate-unread', isBad: false, num: 0, text: url.host }
}

/** The certificates of merchants that are in use. */
async function merchantSigns({ db, now }: Around): Promise<HealthSign[]> {
  const rows = await liveFor({ db }, { tenantId: firstTenant, userId: null, now })
    .selectFrom('pay')
    .select(['payName', 'certificate'])
    .where('enable', '=', 1)
    .where('certificate', 'is not', null)
    .execute()
  return rows
    .filter(({ certificate }) => certificate)
    .map(row => signOf('merchant', new Date(new X509Certificate(row.certificate!).validTo), now(), row.payName))
}

/** How long the certificates hold on which an exam depends. */
export async function certificateSigns(app: Around): Promise<HealthSign[]> {
  const [site, merchants] = await Promise.all([siteSign(app), merchantSigns(app)])
  return [site, ...merchants]
}
