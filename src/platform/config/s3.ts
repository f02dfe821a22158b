/** The bucket in which an installation keeps its files. */
export interface S3Account {
  /** Address of the server, as this program reaches it: `https://host[:port]`. */
  endpoint: string
  region: string
  bucket: string
  accessKey: string
  secretKey: string
  /** How the bucket is named: before the host, or as the first part of the path. */
  style: 'host' | 'path'
  /** What the names of all its objects begin with: empty, or ends with `/`. */
  prefix: string
  /** Address of the server, as browsers reach it. */
  publicUrl: string
}

/** All or none of these must be given. */
const required = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY', 'S3_SECRET_KEY'] as const
/** What may be said beside them. */
const others = ['S3_REGION', 'S3_STYLE', 'S3_PREFIX', 'S3_PUBLIC_URL'] as const

type Name = (typeof required)[number] | (typeof others)[number]

/** The address of a server alone. */
const server = /^https?:\/\/[^/?#@\\\s]+\/?$/

/** What each variable must be like where it is given, and in words. */
const forms: Readonly<Partial<Record<Name, readonly [form: RegExp, what: string]>>> = {
  S3_ENDPOINT: [server, 'the address of a server alone, like https://s3.example.org'],
  S3_PUBLIC_URL: [server, 'the address of a server alone, like https://files.example.org'],
  S3_REGION: [/^[\w-]{1,64}$/, 'the name of a region, like us-east-1'],
  S3_BUCKET: [
    /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
    'the name of a bucket: 3 to 63 small letters, digits, dots and hyphens',
  ],
  S3_STYLE: [/^(path|host)$/, 'path or host'],
  S3_PREFIX: [/^[A-Za-z0-9_-]+(\/[A-Za-z0-9_-]+)*\/?$/, 'folders of letters, digits, _ and -, like exams/2026'],
}

/**
 * Reads from environment variables where files are kept.
 * @param publicUrl the address of the pages, from which browsers send and take files
 * @param problems gets one sentence for each variable that is wrong
 * @returns undefined when no variable is given: files are then kept in a folder
 */
export function readS3(
  env: Readonly<Record<string, string | undefined>>,
  publicUrl: string | undefined,
  problems: string[],
): S3Account | undefined {
  const value = (name: Name) => env[name]?.trim() ?? ''
  const given = [...required, ...others].filter(name => value(name))
  if (given.length === 0) return undefined
  for (const name of required) if (!value(name)) problems.push(`${name} is missing: ${given[0]} is given.`)
  for (const name of given) {
    const [form, what] = forms[name] ?? [/^\S+$/, 'without spaces']
    const isAddress = form !== server || URL.canParse(value(name))
    if (!form.test(value(name)) || !isAddress) problems.push(`${name} must be ${what}.`)
  }
  const address = value('S3_PUBLIC_URL') || value('S3_ENDPOINT')
  if (publicUrl?.startsWith('https:') && address.startsWith('http:'))
    problems.push('S3_PUBLIC_URL must begin with https:// as PUBLIC_URL does: browsers refuse to send files elsewhere.')
  return {
    endpoint: value('S3_ENDPOINT'),
    region: value('S3_REGION') || 'us-east-1',
    bucket: value('S3_BUCKET'),
    accessKey: value('S3_ACCESS_KEY'),
    secretKey: value('S3_SECRET_KEY'),
    style: value('S3_STYLE') === 'host' ? 'host' : 'path',
    prefix: value('S3_PREFIX').replace(/([^/])$/, '$1/'),
    publicUrl: address,
  }
}
