import { execFileSync, spawn } from 'node:child_process'
import { cpSync, openSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../tests/helper/free-port.ts'
import { type Run, runProgram } from './run.ts'

/** Programs that {@link checkContainer} takes, each with its package of Debian. It must be root. */
export const needs = { buildah: 'buildah', mmdebstrap: 'mmdebstrap' } as const

/** Most bytes of the image. */
const mostBytes = 300_000_000
/** Most seconds of the first start, which makes the demo. */
const mostSeconds = 300

/** What buildah is told: a store of its own, without layers of the kernel's, in a root of its own instead of a container. */
const storeIn = (folder: string): Record<string, string> => ({
  STORAGE_DRIVER: 'vfs',
  BUILDAH_ISOLATION: 'chroot',
  TMPDIR: folder,
  CONTAINERS_STORAGE_CONF: path.join(folder, 'storage.conf'),
})

/** Makes `localhost/node`, an image of Debian with the Node and npm of this machine, so that no registry of images is asked. */
async function makeBase(folder: string, env: Record<string, string>): Promise<void> {
  await writeFile(
    path.join(folder, 'storage.conf'),
    `[storage]\ndriver = "vfs"\nrunroot = "${folder}/run"\ngraphroot = "${folder}/store"\n`,
  )
  const system = path.join(folder, 'root')
  const options = [
    '--variant=minbase',
    '--include=ca-certificates,libstdc++6',
    '--dpkgopt=path-exclude=/usr/share/doc/*',
  ]
  await runProgram('mmdebstrap', [...options, 'bookworm', system], env)
  const npm = execFileSync('npm', ['root', '-g'], { encoding: 'utf8' }).trim()
  cpSync(process.execPath, path.join(system, 'usr/local/bin/node'))
  cpSync(path.join(npm, 'npm'), path.join(system, 'usr/local/lib/node_modules/npm'), {
    recursive: true,
    dereference: true,
  })
  await writeFile(
    path.join(system, 'usr/local/bin/npm'),
    '#!/bin/sh\nexec node /usr/local/lib/node_modules/npm/bin/npm-cli.js "$@"\n',
    { mode: 0o755 },
  )
  const container = (await runProgram('buildah', ['from', 'scratch'], env)).trim()
  await runProgram('buildah', ['add', '--quiet', container, system, '/'], env)
  await runProgram('buildah', ['commit', '--quiet', '--rm', container, 'localhost/node'], env)
}

/**
 * Builds the image of a release and runs it: as the user of the image, whose root it cannot write in, with a PostgreSQL of its own.
 * @param archive the release
 * @throws when it does not build, is too large, or does not answer
 */
export async function checkContainer({ folder, after, figure }: Run, archive: string): Promise<void> {
  const env = storeIn(folder)
  await makeBase(folder, env)
  await runProgram('tar', ['-xzf', archive, '-C', folder])
  const release = path.join(folder, path.basename(archive, '.tar.gz'))
  const cache = execFileSync('npm', ['config', 'get', 'cache'], { encoding: 'utf8' }).trim()
  const options = ['--pull-never', '--build-arg', 'NODE=localhost/node', '--volume', `${cache}:/root/.npm`]
  await runProgram('buildah', ['bud', ...options, '-f', 'deploy/Containerfile', '-t', 'juxian', '.'], env, release)

  const container = (await runProgram('buildah', ['from', '--pull-never', 'localhost/juxian'], env)).trim()
  const place = (await runProgram('buildah', ['mount', container], env)).trim()
  after(() => runProgram('buildah', ['rm', container], env))
  const bytes = Number(execFileSync('du', ['-sb', place], { encoding: 'utf8' }).split('\t')[0])
  figure('image, MB', Math.round(bytes / 1e6))
  if (bytes > mostBytes) throw new Error(`The image has ${bytes} bytes.`)

  const url = await startIn({ folder, after }, place)
  const since = performance.now()
  for (;;) {
    const answer = await fetch(`${url}/api/public/health`).catch(() => undefined)
    if (answer?.ok) break
    if (performance.now() - since > mostSeconds * 1000) throw new Error(`The image does not answer: ${log(folder)}`)
    await sleep(200)
  }
  figure('first answer of the image, with the demo made, s', Math.round((performance.now() - since) / 1000))
}

const log = (folder: string): string => readFileSync(path.join(folder, 'image.log'), 'utf8')

/**
 * Runs what the image runs in namespaces of its own, as the user of the image: the root is mounted read-only, the folder of data and that
 * for what is temporary are in memory. Answers its address.
 */
async function startIn({ folder, after }: Pick<Run, 'folder' | 'after'>, place: string): Promise<string> {
  const port = await freePort()
  const view = path.join(folder, 'view')
  await mkdir(view)
  const file = path.join(folder, 'run.sh')
  await writeFile(
    file,
    `set -e
mount --bind ${place} ${view}
mount -o remount,bind,ro ${view}
for name in dev proc; do test -d ${view}/$name; done
mount -t tmpfs -o mode=1777 tmpfs ${view}/tmp
mount -t tmpfs -o mode=700,uid=10001,gid=10001 tmpfs ${view}/var/lib/juxian
mount --rbind /dev ${view}/dev
mount -t proc proc ${view}/proc
cd /
exec chroot --userspec=10001:10001 --groups=10001 ${view} /usr/bin/dash -c '
  test "$(/usr/bin/node -p "process.getuid()")" = 10001
  if /usr/bin/node -e "require(\\"fs\\").writeFileSync(\\"/opt/juxian/x\\", \\"\\")" 2>/dev/null; then echo "the root can be written"; exit 1; fi
  cd /opt/juxian
  exec /usr/bin/node dist/server/server.js'
`,
  )
  const env = { PATH: '/usr/bin', HOST: '127.0.0.1', PORT: String(port), DATA_DIR: '/var/lib/juxian' }
  const output = openSync(path.join(folder, 'image.log'), 'w')
  const child = spawn('/usr/bin/unshare', ['--mount', '--pid', '--fork', '--kill-child', '/bin/bash', file], {
    env: { ...env, PATH: '/usr/bin:/bin:/usr/sbin:/sbin' },
    stdio: ['ignore', output, output],
  })
  const ended = new Promise(resolve => child.once('close', resolve))
  after(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return `http://127.0.0.1:${port}`
}
