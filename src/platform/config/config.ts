import { existsSync, readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import path from 'node:path'
import { commaList } from '#engine'
import { isDatabaseAddress } from '../database/address.ts'
import { limits } from './limits.ts'
import { writeLine } from './log-output.ts'
import { readS3, type S3Account } from './s3.ts'
import { readWechat, type WechatAccount } from './wechat.ts'

/** The folder that holds package.json; both `src/server/` and `dist/server/` lie two below it. */
export const root = folderWith('package.json', import.meta.dirname)

/** Version of this program. */
export const { version: programVersion } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  version: string
}

/** The nearest folder above one that holds a file: the program runs from its sources and from its build. */
function folderWith(file: string, from: string): string {
  return existsSync(path.join(from, file)) ? from : folderWith(file, path.dirname(from))
}

/** Password of the demo accounts; outside demo mode it is refused as `ADMIN_PASSWORD`. */
export const demoPassword = 'Juxian@2026'

/** Everything that can be said to the server from outside, checked. */
export interface Config {
  port: number
  host: string
  /** Absolute path of the folder for the embedded database, files and generated keys. */
  dataDir: string
  /** Absolute path of the folder with fonts for characters that the ones of this program lack. */
  fontDir: string
  /** Address of a PostgreSQL; undefined: the embedded one. */
  databaseUrl: string | undefined
  /** Leads to the same database past a pooler, where `databaseUrl` leads to one in transaction mode. */
  databaseDirectUrl: string | undefined
  /** Connections that the process has to `databaseUrl`, and to `databaseDirectUrl`, at most. */
  databasePool: number
  databasePoolDirect: number
  /** Whether statements may have names, by which a session knows them again. */
  databasePrepared: boolean
  /** What a start does about tables that are not as the definitions say: brings them there, or refuses. */
  schema: 'apply' | 'check'
  /** Demo data, and the sandboxes of the channels (pay, SMS) instead of the real ones. */
  demo: boolean
  /** Password of the first administrator; undefined: generated and printed once. */
  adminPassword: string | undefined
  /** Wraps the keys stored in the database; undefined: generated into `dataDir`. */
  secretKey: string | undefined
  /** Absolute path of the folder into which the server takes backups by itself; undefined: it takes none. */
  backupDir: string | undefined
  /** What the key of the installation is wrapped with in backups; undefined: asked for on the terminal. */
  backupPassphrase: string | undefined
  captchaMode: boolean
  tenantMode: boolean
  switchMode: boolean
  registerMode: boolean
  /** The address by which browsers and channels reach the server, where that is not the one it listens on. */
  publicUrl: string | undefined
  /** Proxies whose word about the caller's address counts, as IP addresses or networks; empty: nobody's. */
  trustProxy: readonly string[]
  /** Key in dictionary `pay_channel` of the channel for new orders; undefined: the sandbox in the demo, else WeChat Pay. */
  payChannel: string | undefined
  /** The merchant's account at WeChat Pay; undefined: outside the demo nothing can be paid online. */
  wechat: WechatAccount | undefined
  /** Where providers of text messages are reached, by their key in dictionary `sms`, where that is not their own address. */
  smsHosts: Readonly<Record<string, string>>
  /** Where WeChat is reached for official accounts, where that is not its own address. */
  wechatApiHost: string | undefined
  /** Where files are kept; undefined: in the folder `files` of `dataDir`. */
  s3: S3Account | undefined
  /** Whether a start is refused where the files of the installation are not; programs that touch none do without. */
  checksFiles: boolean
  /** Address of a Blade server: then only the web application is served and `/api` goes there. */
  bladeApi: string | undefined
  /** What the web application is called at that server, `id:secret`; undefined: as it calls itself. */
  bladeClient: string | undefined
  /** The SM2 key for which that server takes passwords, for those that have no call that tells it. */
  bladePublicKey: string | undefined
  /** Whether scheduled jobs run by the clock; tests run them by hand. */
  jobs: boolean
  /** Milliseconds in which the first of a body must have come; more for each KB of a large one. */
  bodyTime: number
  /** Milliseconds for which a call waits for a connection of the pool. */
  connectionTime: number
  /** Milliseconds in which the database has to say how it is. */
  readinessTime: number
  /** Milliseconds by which a turn of the event loop may be late in two looks, a second apart, before calls are refused. */
  turnTime: number
  /** Bytes of a volume of an exam's archive at most. */
  archiveVolume: number
  /** Milliseconds for which a process that was ordered to stop says that it is not ready before it stops listening. */
  drainTime: number
  /** Sign-ins with a password that one process takes on at once: as many as it does in so many seconds, and at least so many. */
  signInQueue: { seconds: number; least: number }
  /** The clock. */
  now: () => Date
  /** Least level that is logged, or `silent`. */
  logLevel: 'info' | 'warn' | 'silent'
  /** Where metrics are asked for; no port: nowhere. */
  metricsPort: number | undefined
  metricsHost: string
  /** Address of a collector of traces; undefined where nobody asks for traces. */
  traceEndpoint: string | undefined
  /** Where lines of the log go. */
  logTo: (line: string) => void
}

type Environment = Readonly<Record<string, string | undefined>>

/** Values that stand in documents and examples and therefore protect nothing. */
const knownSecrets = [/^(.)\1*$/, /change.?me/i, /^(.{1,8})\1+$/, /secret.?key/i, /juxian/i, /example/i, /123456789/]

/**
 * Reads the configuration from environment variables.
 * @throws one error that names every variable that is wrong
 */
export function readConfig(env: Environment = process.env): Config {
  const problems: string[] = []
  const value = (name: string) => env[name]?.trim() || undefined
  const flag = (name: string, preset: boolean) => {
    const text = value(name) ?? String(preset)
    if (text !== 'true' && text !== 'false') problems.push(`${name} must be true or false, not "${text}".`)
    return text === 'true'
  }
  const address = (name: string, pattern: RegExp, what: string) => {
    const text = value(name)
    if (text && !(pattern.test(text) && URL.canParse(text))) problems.push(`${name} must be ${what}.`)
    return text
  }
  const shaped = (name: string, pattern: RegExp, what: string) => {
    const text = value(name)
    if (text && !pattern.test(text)) problems.push(`${name} must be ${what}.`)
    return text
  }
  const number = (name: string, preset: number, [least, most]: readonly [number, number]) => {
    const text = value(name) ?? String(preset)
    const found = /^\d+$/.test(text) ? Number(text) : Number.NaN
    if (!(found >= least && found <= most)) problems.push(`${name} must be ${least} to ${most}, not "${text}".`)
    return found
  }
  const database = (name: string) => {
    const text = value(name)
    if (text && !(/^postgres(ql)?:\/\//.test(text) && isDatabaseAddress(text)))
      problems.push(
        `${name} must be like postgresql://user:password@host:5432/name, with several hosts like host:5432,other:5432.`,
      )
    return text
  }
  const databaseUrl = database('DATABASE_URL')
  const databaseDirectUrl = database('DATABASE_DIRECT_URL')
  if (databaseDirectUrl && !databaseUrl)
    problems.push('DATABASE_DIRECT_URL goes with DATABASE_URL, which leads to a pooler.')
  const demo = flag('DEMO', !databaseUrl)
  const dataDir = path.resolve(root, value('DATA_DIR') ?? 'data')
  const publicUrl = address('PUBLIC_URL', /^https?:\/\//, 'like https://exam.example.org')
  const config: Config = {
    port: number('PORT', 8000, [0, 65_535]),
    host: value('HOST') ?? '127.0.0.1',
    dataDir,
    fontDir: path.resolve(root, value('FONT_DIR') ?? path.join(dataDir, 'fonts')),
    databaseUrl,
    databaseDirectUrl,
    databasePool: number('DATABASE_POOL', 10, [2, 1000]),
    databasePoolDirect: number('DATABASE_POOL_DIRECT', 2, [1, 100]),
    databasePrepared: flag('DATABASE_PREPARED', !databaseDirectUrl),
    schema: shaped('SCHEMA', /^(apply|check)$/, 'apply or check') === 'check' ? 'check' : 'apply',
    demo,
    adminPassword: value('ADMIN_PASSWORD'),
    secretKey: value('SECRET_KEY'),
    backupDir: value('BACKUP_DIR') && path.resolve(root, value('BACKUP_DIR')!),
    backupPassphrase: shaped('BACKUP_PASSPHRASE', /^.{12,}$/, '12 characters or more'),
    captchaMode: flag('CAPTCHA_MODE', true),
    tenantMode: flag('TENANT_MODE', false),
    switchMode: flag('SWITCH_MODE', false),
    registerMode: flag('REGISTER_MODE', demo),
    publicUrl,
    trustProxy: proxies(value('TRUST_PROXY') ?? '', problems),
    payChannel: shaped('PAY_CHANNEL', /^\w+$/, 'the key of a payment channel, such as wechat'),
    wechat: readWechat(env, problems),
    smsHosts: smsHosts(value('SMS_HOSTS') ?? '', problems),
    wechatApiHost: address('WECHAT_API_HOST', /^https?:\/\/[^/]+$/, 'like https://wechat-proxy.example.org'),
    s3: readS3(env, publicUrl, problems),
    checksFiles: true,
    jobs: true,
    bladeApi: address('BLADE_API', /^https?:\/\//, 'like https://blade.example.org'),
    bodyTime: limits.body,
    connectionTime: limits.connection,
    readinessTime: limits.readiness,
    turnTime: limits.turn,
    archiveVolume: number('ARCHIVE_VOLUME_MB', 4000, [100, 1_000_000]) * 1_000_000,
    drainTime: number('DRAIN_SECONDS', 5, [0, 20]) * 1000,
    signInQueue: { seconds: 3, least: 64 },
    bladeClient: shaped('BLADE_CLIENT', /^[^:\s]+:\S*$/, 'like saber:secret-of-saber'),
    bladePublicKey: shaped('BLADE_PUBLIC_KEY', /^04[0-9a-fA-F]{128}$/, '130 hexadecimal characters that begin with 04'),
    now: () => new Date(),
    metricsPort: value('METRICS_PORT') ? number('METRICS_PORT', 0, [1, 65_535]) : undefined,
    metricsHost: value('METRICS_HOST') ?? '127.0.0.1',
    traceEndpoint: address('OTEL_EXPORTER_OTLP_ENDPOINT', /^https?:\/\//, 'like http://127.0.0.1:4318'),
    logLevel: demo ? 'warn' : 'info',
    logTo: writeLine,
  }
  problems.push(...secretProblems(config), ...reachProblems(config, value('DEMO') !== undefined))
  if (problems.length > 0) throw new Error(problems.join('\n'))
  return config
}

/** Names of all variables that {@link readConfig} reads. */
export function variableNames(): string[] {
  const asked = new Set<string>()
  const note = new Proxy<Environment>({}, { get: (_none, name) => void asked.add(String(name)) })
  try {
    readConfig(note)
  } catch {
    // Without any value it may well refuse; by then everything was asked for.
  }
  return [...asked].toSorted()
}

/** `tencent=http://sms.example.org:9000,qiniu=…` */
function smsHosts(list: string, problems: string[]): Record<string, string> {
  const pairs = commaList(list).map(one => one.split('='))
  const wrong = pairs.find(([key = '', host = '']) => !/^\w+$/.test(key) || !/^https?:\/\/[^/]+$/.test(host))
  if (wrong) problems.push(`SMS_HOSTS must be like tencent=https://sms.example.org, not "${wrong.join('=')}".`)
  return Object.fromEntries(pairs)
}

/** Names for the addresses of this machine and of private networks. */
const networks = ['loopback', 'linklocal', 'uniquelocal']

function proxies(list: string, problems: string[]): string[] {
  const given = commaList(list)
  const isNetwork = (text: string) => {
    const [address = '', bits] = text.split('/')
    const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
    return most > 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most))
  }
  const wrong = given.filter(one => !networks.includes(one) && !isNetwork(one))
  if (wrong.length > 0) problems.push(`TRUST_PROXY must name addresses like 10.0.0.1 or 10.0.0.0/8, not "${wrong[0]}".`)
  return given
}

/** Whether only this machine can be meant by the name or address of a host. */
const isLoopback = (host: string) => /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host)

/** A demo has known passwords: others may reach it only if somebody wrote that it shall be one. */
function reachProblems({ demo, bladeApi, host, publicUrl }: Config, isWritten: boolean): string[] {
  if (!demo || isWritten || bladeApi) return []
  const reached = [
    ...(isLoopback(host) ? [] : [`HOST=${host}`]),
    ...(!publicUrl || !URL.canParse(publicUrl) || isLoopback(new URL(publicUrl).hostname)
      ? []
      : [`PUBLIC_URL=${publicUrl}`]),
  ]
  return reached.map(
    setting =>
      `${setting} lets others reach a demo, whose passwords are known: write DEMO=false for use, or DEMO=true if it shall be a demo.`,
  )
}

/** Outside demo mode nothing starts with a missing or known secret. */
function secretProblems({
  databaseUrl,
  demo,
  secretKey,
  adminPassword,
  bladeApi,
  backupDir,
  backupPassphrase,
}: Config): string[] {
  if (bladeApi) return []
  const found: string[] = []
  if (!demo && databaseUrl && !secretKey) {
    found.push('SECRET_KEY is missing: give 32 or more random characters, for example from `openssl rand -hex 32`.')
  }
  if (backupDir && !secretKey && !backupPassphrase)
    found.push('BACKUP_PASSPHRASE is missing: with it the generated key is wrapped in the backups of BACKUP_DIR.')
  if (secretKey && secretKey.length < 32) found.push('SECRET_KEY is too short: give 32 or more random characters.')
  if (secretKey && knownSecrets.some(pattern => pattern.test(secretKey))) {
    found.push('SECRET_KEY is a known or guessable text: give 32 or more random characters.')
  }
  if (!demo && adminPassword === demoPassword)
    found.push('ADMIN_PASSWORD is the known one of the demo: choose another.')
  return found
}
