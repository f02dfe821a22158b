import { readFileSync } from 'node:fs'
import path from 'node:path'
import { Deployment } from 'kubernetes-models/apps/v1/Deployment'
import { Job } from 'kubernetes-models/batch/v1/Job'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget'
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap'
import { Secret } from 'kubernetes-models/v1/Secret'
import { Service } from 'kubernetes-models/v1/Service'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { variableNames } from '../src/platform/config/config.ts'
import { metrics } from '../src/platform/metrics/table.ts'
import { filesBelow } from './helper/tree.ts'

const root = path.resolve(import.meta.dirname, '..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const files = filesBelow('deploy')

const kinds = { ConfigMap, Deployment, Job, PodDisruptionBudget, Secret, Service }
type Kind = keyof typeof kinds

interface Named {
  kind: Kind
  metadata: { name: string }
}

/** The objects of the Kubernetes files, as they are written. */
const objects = files
  .filter(file => file.startsWith('deploy/kubernetes/'))
  .flatMap(file => parseAllDocuments(read(file)).map(document => document.toJS() as Named))

/** What is wrong with an object; nothing when Kubernetes would take it. */
function faultOf(object: Named): string {
  try {
    new kinds[object.kind](object as never).validate()
    return ''
  } catch (error) {
    return (error as Error).message
  }
}

/** The one object of a kind. */
const theOne = <T extends object>(kind: Kind): T => objects.find(object => object.kind === kind) as unknown as T

describe('Kubernetes', () => {
  test.each(objects.map(object => [object.kind, object.metadata.name, object] as const))(
    'takes %s %s',
    (_kind, _name, object) => {
      expect(faultOf(object)).toBe('')
    },
  )

  test('would refuse a broken copy, and what is broken is named', () => {
    const deployment = structuredClone(theOne<Named & { spec: { replicas: unknown } }>('Deployment'))
    deployment.spec.replicas = 'three'
    expect(faultOf(deployment)).toMatch(/replicas.*integer/)
    const job = structuredClone(theOne<Named & { spec: { template?: unknown } }>('Job'))
    delete job.spec.template
    expect(faultOf(job)).toMatch(/template/)
  })

  test('what selects pods means those of the Deployment, and ports and volumes are there by their names', () => {
    interface Pod {
      metadata: { labels: object }
      spec: {
        containers: [{ ports: { name: string }[]; volumeMounts: { name: string }[]; envFrom: object[] }]
        volumes: { name: string }[]
      }
    }
    const { spec } = theOne<{ spec: { selector: { matchLabels: object }; template: Pod } }>('Deployment')
    const { labels } = spec.template.metadata
    expect(spec.selector.matchLabels).toEqual(labels)
    const service = theOne<{ spec: { selector: object; ports: { targetPort: string }[] } }>('Service')
    expect(service.spec.selector).toEqual(labels)
    expect(theOne<{ spec: { selector: object } }>('PodDisruptionBudget').spec.selector).toEqual({ matchLabels: labels })
    const [container] = spec.template.spec.containers
    // Figures are for Prometheus, which asks each pod: no Service leads to them.
    const served = container.ports.map(({ name }) => name).filter(name => name !== 'metrics')
    expect(served).toEqual(service.spec.ports.map(({ targetPort }) => targetPort))
    expect(container.volumeMounts.map(({ name }) => name)).toEqual(spec.template.spec.volumes.map(({ name }) => name))
  })
})

interface Compose {
  services: Record<
    string,
    { environment?: Record<string, string>; image: string; ports?: string[]; volumes?: string[] }
  >
  volumes: Record<string, unknown>
}

const compose = parse(read('deploy/compose.yaml'), { merge: true }) as Compose

test('services of compose use volumes that are there, and files that are beside it', () => {
  const used = Object.values(compose.services).flatMap(({ volumes = [] }) =>
    volumes.map(one => one.split(':')[0] ?? ''),
  )
  const named = used.filter(name => !name.startsWith('.'))
  expect([...new Set(named)].toSorted()).toEqual(Object.keys(compose.volumes).toSorted())
  // What an operator brings: the certificate, and the list of users of the pooler.
  const beside = used.filter(name => name.startsWith('./') && !['./tls', './userlist.txt'].includes(name))
  expect(beside.filter(name => !files.includes(path.posix.join('deploy', name)))).toEqual([])
})

test('images of compose are named with their versions, others than official ones in full', () => {
  const images = Object.values(compose.services).map(({ image }) => image)
  const official = /^(nginx|postgres|juxian):[\w.-]+$/
  const others = /^[a-z0-9.-]+\.[a-z]+\/[\w./-]+:v?[A-Z]*\.?\d[\w.-]*$/
  expect(images.filter(image => !official.test(image) && !others.test(image))).toEqual([])
})

/** The lines of a file of PgBouncer, by their names. */
const linesOf = (file: string): Record<string, string> =>
  Object.fromEntries([...read(file).matchAll(/^(\w+) = (.*)$/gm)].map(([, name = '', value = '']) => [name, value]))

test('the pooler of compose leads from the servers to their database, set as the other one is', () => {
  const { pgbouncer, postgres } = compose.services
  const [mounted = ''] = (pgbouncer?.volumes ?? []).filter(one => one.includes('pgbouncer.ini'))
  const own = linesOf(path.posix.join('deploy', mounted.split(':')[0] ?? ''))
  const database = postgres?.environment?.POSTGRES_DB ?? ''
  expect(own).toMatchObject({ [database]: `host=postgres port=5432 dbname=${database}`, listen_addr: '*' })
  const { exam: _, listen_addr: _address, ...others } = linesOf('deploy/pgbouncer.ini')
  expect(own).toMatchObject(others)
  const servers = Object.values(compose.services).filter(({ image }) => image.startsWith('juxian'))
  for (const { environment } of servers)
    expect(environment?.DATABASE_URL).toMatch(new RegExp(`@postgres:5432/${database}$`))
})

test('a volume of a service that runs the image lies where the image has a folder of its user', () => {
  const image = read('deploy/Containerfile')
  const [, owned = ''] = /chown 10001:10001 (.*?) && /.exec(image) ?? []
  const servers = Object.values(compose.services).filter(({ image }) => image.startsWith('juxian'))
  const places = new Set(servers.flatMap(({ volumes = [] }) => volumes.map(one => one.split(':')[1] ?? '')))
  expect(places.size).toBe(2)
  expect([...places].filter(place => !owned.split(' ').includes(`/image${place}`))).toEqual([])
})

const known = variableNames()
/** Words of the environment that Node and its host read, not the program. */
const ofOthers = ['PATH', 'NODE_EXTRA_CA_CERTS']

/** Variables that the files for deployment give the program. */
const given = new Map<string, string[]>([
  [
    'kubernetes',
    objects.flatMap(object =>
      Object.keys({
        ...('data' in object && (object.data as object)),
        ...('stringData' in object && (object.stringData as object)),
      }),
    ),
  ],
  [
    'compose',
    Object.values(compose.services)
      .filter(({ image }) => image.startsWith('juxian'))
      .flatMap(({ environment }) => Object.keys(environment ?? {})),
  ],
  ['juxian.env', [...read('deploy/juxian.env').matchAll(/^#?([A-Z][A-Z0-9_]*)=/gm)].map(([, name = '']) => name)],
  ...files
    .filter(file => file.endsWith('.service'))
    .map(file => [file, [...read(file).matchAll(/^Environment=(\w+)=/gm)].map(([, name = '']) => name)] as const),
  [
    'Containerfile',
    [...read('deploy/Containerfile').matchAll(/^ENV (.*)$/gm)].flatMap(([, line = '']) =>
      [...line.matchAll(/(\w+)=/g)].map(([, name = '']) => name),
    ),
  ],
])

describe('variables', () => {
  test.each([...given])('that %s sets are known to the program', (_file, names) => {
    expect(names.length).toBeGreaterThan(0)
    expect(names.filter(name => !known.includes(name) && !ofOthers.includes(name))).toEqual([])
  })

  test('all stand in the table of docs/operate.md, and the table has no others', () => {
    const rows = [...read('docs/operate.md').matchAll(/^\| (`[A-Z][^|]*) \|/gm)].map(([, cell = '']) => cell)
    const told = rows.flatMap(cell => [...cell.matchAll(/`([A-Z][A-Z0-9_]*)`/g)].map(([, name = '']) => name))
    expect(told.toSorted()).toEqual(known)
    expect(known.length).toBeGreaterThan(30)
  })
})

test('the image, the pods and the unit run as a user of their own who changes nothing but the data', () => {
  const image = read('deploy/Containerfile')
  expect(image).toContain('USER 10001:10001')
  for (const file of ['deploy/kubernetes/server.yaml', 'deploy/kubernetes/schema.yaml']) {
    expect(read(file)).toContain('runAsUser: 10001')
    expect(read(file)).toContain('readOnlyRootFilesystem: true')
  }
  expect(read('deploy/juxian.service')).toMatch(/^User=juxian$/m)
})

test('Patroni keeps the slot that backups receive the log by, and has each commit on two hosts', () => {
  const { dcs } = parse(read('deploy/patroni.yml')).bootstrap
  const [, slot = ''] = /slot: \{[^}]*default: '(\w+)'/.exec(read('src/server/backup.ts')) ?? []
  expect(dcs.slots).toEqual({ [slot]: { type: 'physical' } })
  expect(dcs).toMatchObject({ synchronous_mode: true, postgresql: { use_pg_rewind: true } })
  expect(dcs.ttl).toBeGreaterThanOrEqual(dcs.loop_wait + 2 * dcs.retry_timeout)
})

interface Rule {
  alert: string
  expr: string
}

const rules: Rule[] = parse(read('deploy/alerts.yml')).groups.flatMap(({ rules }: { rules: Rule[] }) => rules)

test('alarms have names of their own, and ask for metrics and labels that there are', () => {
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
  const asked = rules.flatMap(({ expr }) => [
    ...expr.matchAll(/juxian_(\w+?)(?:_bucket|_count|_sum)?(?=\W|$)(?:\{(\w+)=)?/g),
  ])
  const wrong = asked.filter(([, name = '', label]) => {
    // What the client of Prometheus measures by itself.
    if (/^(nodejs|process)_/.test(name)) return false
    const metric = metrics[name as keyof typeof metrics]
    return !metric || (label !== undefined && !(metric.labels as readonly string[]).includes(label))
  })
  expect(wrong.map(([text]) => text)).toEqual([])
})

test.each([
  ['docs/handbook.md', 'Alarms'],
  ['docs/handbook.zh-CN.md', '告警'],
])('%s tells of each alarm, with the metrics that it asks for and what to do', (file, title) => {
  const [, part = ''] = new RegExp(`## ${title}\\n([\\s\\S]*?)\\n## `).exec(read(file)) ?? []
  const rows = [...part.matchAll(/^\|[^|]*`(Juxian\w+)` \|([^|]+)\|([^|]+)\|$/gm)]
  const namesIn = (text: string) => [...new Set(text.match(/juxian_[a-z]\w+?(?=_bucket|_count|\W|$)/g))].toSorted()
  const told = rows.map(([, alert, when = '', act = '']) => [alert, namesIn(when), act.trim() !== ''])
  expect(told).toEqual(rules.map(({ alert, expr }) => [alert, namesIn(expr), true]))
})

describe('figures', () => {
  const settings = theOne<{ data: Record<string, string> }>('ConfigMap').data
  const port = settings.METRICS_PORT ?? ''

  test('are answered at one port everywhere, which nothing publishes', () => {
    expect(port).toMatch(/^\d+$/)
    const servers = Object.values(compose.services).filter(({ image }) => image.startsWith('juxian'))
    expect(new Set(servers.map(({ environment }) => String(environment?.METRICS_PORT)))).toEqual(new Set([port]))
    expect(read('deploy/juxian.env')).toContain(`#METRICS_PORT=${port}\n`)
    expect(read('deploy/kubernetes/server.yaml')).toContain(`{ name: metrics, containerPort: ${port} }`)
    expect(
      Object.values(compose.services).flatMap(({ ports = [] }) => ports.filter(one => one.includes(port))),
    ).toEqual([])
    for (const file of ['nginx.conf', 'haproxy.cfg', 'Containerfile'])
      expect(read(`deploy/${file}`)).not.toContain(port)
  })

  test.each(['docs/deploy.md', 'docs/deploy.zh-CN.md'])(
    '%s has Prometheus ask for them by the job of the rules',
    file => {
      const [, block = ''] = /```yaml\n( *rule_files:[\s\S]*?)```/.exec(read(file)) ?? []
      const { rule_files, scrape_configs } = parse(block)
      expect(read(file)).toContain(`\`deploy/alerts.yml\``)
      expect(read(file)).toContain(rule_files[0])
      expect(scrape_configs[0].static_configs[0].targets[0]).toMatch(new RegExp(`:${port}$`))
      const jobs = rules.flatMap(({ expr }) => [...expr.matchAll(/job="(\w+)"/g)].map(([, job]) => job))
      expect(new Set(jobs)).toEqual(new Set([scrape_configs[0].job_name]))
    },
  )
})

test('both guides give a bucket the same rules, and HAProxy its certificate where its file looks for it', () => {
  const [english, chinese] = ['docs/deploy.md', 'docs/deploy.zh-CN.md'].map(read)
  const rulesIn = (text = '') => [...text.matchAll(/```json\n([\s\S]*?)```/g)].map(([, json = '']) => JSON.parse(json))
  expect(rulesIn(english)).toMatchObject([
    { CORSRules: [{ AllowedMethods: ['PUT'] }] },
    { Rules: [{ Filter: { Prefix: 'in/' } }] },
  ])
  expect(rulesIn(chinese)).toEqual(rulesIn(english))
  const [, certificate = ''] = /ssl crt (\S+)/.exec(read('deploy/haproxy.cfg')) ?? []
  for (const guide of [english, chinese]) expect(guide).toContain(`cat fullchain.pem privkey.pem > ${certificate}`)
})

test('docs/operate.md tells what each file is for', () => {
  const [, table = ''] = /\| file of `deploy` \|[^\n]*\n([\s\S]*?)\n\n/.exec(read('docs/operate.md')) ?? []
  const untold = files
    .map(file => file.replace('deploy/', '').replace(/\/.*/, '/'))
    .filter(name => !table.includes(`\`${name}\``))
  expect(untold).toEqual([])
})

test('the proxy never sends a POST to a second server, and tells who calls', () => {
  const text = read('deploy/nginx.conf').replace(/#.*$/gm, '')
  expect(text).toMatch(/proxy_next_upstream error timeout http_503;/)
  expect(text).not.toContain('non_idempotent')
  expect(text).toMatch(/proxy_set_header Host \$host;/)
  expect(text).toMatch(/proxy_set_header X-Forwarded-For \$proxy_add_x_forwarded_for;/)
  expect(text).not.toMatch(/Upgrade|ssl_session_tickets on/)
})
