import { cp, mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { makeRelease } from '../../tools/release/release.ts'
import { findCommand } from '../helper/commands.ts'
import { freePort } from '../helper/free-port.ts'
import { type Program, processTree, runProgram, signalAll, startProgram } from '../helper/program.ts'
import { type Trial, trial } from '../helper/trial.ts'

const root = path.resolve(import.meta.dirname, '../..')

/** Most bytes of the image. */
const mostBytes = 300_000_000
/** Most milliseconds of the first start, which makes the demonstration. */
const mostTime = 300_000
/** The certificates of authorities that Debian and this machine believe. */
const authorities = '/etc/ssl/certs/ca-certificates.crt'

/** Runs buildah with a store of the trial, without layers of the kernel's, in a changed root instead of a container. */
type Buildah = (args: readonly string[], cwd?: string) => Promise<string>

async function prepareBuildah({ folder }: Trial): Promise<Buildah> {
  const storage = path.join(folder, 'storage.conf')
  const places = `runroot = "${folder}/run"\ngraphroot = "${folder}/store"\n`
  await writeFile(storage, `[storage]\ndriver = "vfs"\n${places}`)
  const env = {
    HOME: folder,
    TMPDIR: folder,
    STORAGE_DRIVER: 'vfs',
    BUILDAH_ISOLATION: 'chroot',
    CONTAINERS_STORAGE_CONF: storage,
  }
  return (args, cwd = folder) => runProgram(findCommand('buildah')!, args, { env, cwd, asRoot: true })
}

/** Makes `localhost/node`, an image of Debian with Node and npm of this machine, so that no registry of images is asked. */
async function makeBase({ folder }: Trial, buildah: Buildah): Promise<void> {
  const system = path.join(folder, 'system')
  const options = [
    '--variant=minbase',
    '--include=ca-certificates,libstdc++6',
    '--dpkgopt=path-exclude=/usr/share/doc/*',
  ]
  await runProgram(findCommand('mmdebstrap')!, [...options, 'bookworm', system], {
    env: { TMPDIR: folder },
    asRoot: true,
  })
  const modules = 'usr/local/lib/node_modules/npm'
  const npm = (await runProgram('npm', ['root', '-g'], { asRoot: true })).trim()
  await cp(process.execPath, path.join(system, 'usr/local/bin/node'))
  await cp(path.join(npm, 'npm'), path.join(system, modules), { recursive: true, dereference: true })
  await cp(authorities, path.join(system, authorities), { dereference: true })
  const script = `#!/bin/sh\nexec node /${modules}/bin/npm-cli.js "$@"\n`
  await writeFile(path.join(system, 'usr/local/bin/npm'), script, { mode: 0o755 })
  const container = (await buildah(['from', 'scratch'])).trim()
  await buildah(['add', '--quiet', container, system, '/'])
  await buildah(['config', '--env', `NODE_EXTRA_CA_CERTS=${authorities}`, container])
  await buildah(['commit', '--quiet', '--rm', container, 'localhost/node'])
}

/** What an image says of how it is run. */
interface ImageConfig {
  User: string
  Env: string[]
  Cmd: string[]
  WorkingDir: string
}

/** Builds the image from the release, as its file says. @returns the folder in which it is mounted, and how it is run */
async function build(run: Trial, buildah: Buildah): Promise<{ place: string; config: ImageConfig }> {
  const { file } = await makeRelease(root, run.folder)
  await runProgram('tar', ['-xzf', file, '-C', run.folder], { asRoot: true })
  const release = path.join(run.folder, path.basename(file, '.tar.gz'))
  const cache = (await runProgram('npm', ['config', 'get', 'cache'], { asRoot: true })).trim()
  const options = ['--pull-never', '--build-arg', 'NODE=localhost/node', '--volume', `${cache}:/root/.npm`]
  await buildah(['bud', ...options, '-f', 'deploy/Containerfile', '-t', 'juxian', '.'], release)
  const container = (await buildah(['from', '--pull-never', 'localhost/juxian'])).trim()
  run.after(() => buildah(['rm', container]))
  const place = (await buildah(['mount', container])).trim()
  const told = JSON.parse(await buildah(['inspect', '--type', 'image', 'localhost/juxian']))
  return { place, config: told.OCIv1.config }
}

const quoted = (words: readonly string[]): string => words.map(word => `'${word}'`).join(' ')

/**
 * Runs what the image runs, as its user, in namespaces of its own: the root is mounted read-only, the folders of data and of what is
 * temporary are in memory.
 */
async function start(run: Trial, place: string, config: ImageConfig, env: readonly string[]): Promise<Program> {
  const view = path.join(run.folder, 'view')
  await mkdir(view)
  const [user = '', group = ''] = config.User.split(':')
  const script = path.join(run.folder, 'start.sh')
  await writeFile(
    script,
    `set -e
mount --bind ${place} ${view}
mount -o remount,bind,ro ${view}
mount -t tmpfs -o mode=1777 tmpfs ${view}/tmp
mount -t tmpfs -o mode=700,uid=${user},gid=${group} tmpfs ${view}/var/lib/juxian
mount --rbind /dev ${view}/dev
mount -t proc proc ${view}/proc
chroot=$(command -v chroot)
exec env -i ${quoted([...config.Env, ...env])} $chroot --userspec=${config.User} --groups=${group} ${view} /bin/sh -c '
  if (: > /tmp/try) && ! (: > ${config.WorkingDir}/try) 2>/dev/null; then
    cd ${config.WorkingDir}
    exec "$@"
  fi
  echo "The root can be written, or the temporary folder cannot."
  exit 1' sh ${quoted(config.Cmd)}
`,
  )
  const options = ['--mount', '--pid', '--fork', '--kill-child']
  const program = startProgram(findCommand('unshare')!, [...options, 'bash', script], { asRoot: true })
  run.after(() => program.stop('SIGKILL'))
  return program
}

/** The folders and files that a shell of the image needs to start, with their modes. */
function waysIn(place: string): Promise<string> {
  const loader = 'ld-linux-x86-64.so.2'
  const library = 'usr/lib/x86_64-linux-gnu'
  const ways = ['', 'bin', 'lib', 'lib64', 'usr', 'usr/bin', 'usr/bin/dash', 'usr/bin/sh', 'usr/bin/node', 'usr/lib']
  const loaders = ['usr/lib64', `usr/lib64/${loader}`, library, `${library}/${loader}`, `${library}/libc.so.6`]
  const all = [...ways, ...loaders, 'opt', 'opt/juxian', 'opt/juxian/dist/server/server.js', 'tmp', 'var/lib/juxian']
  const script = 'for name in "$@"; do ls -ld "./$name" 2>&1; test ! -L "$name" || ls -ldL "./$name" 2>&1; done'
  return runProgram('sh', ['-c', script, 'sh', ...all], { cwd: place, asRoot: true })
}

trial(
  'an image is built from the release, small, and runs as a user of its own with a root that cannot be written',
  { needs: ['buildah', 'mmdebstrap', 'unshare'], root: true, minutes: 20 },
  async run => {
    const buildah = await prepareBuildah(run)
    await makeBase(run, buildah)
    const begun = performance.now()
    const { place, config } = await build(run, buildah)
    run.figure('built, s', Math.round((performance.now() - begun) / 1000))
    const bytes = Number.parseInt(await runProgram('du', ['-sb', place], { asRoot: true }), 10)
    run.figure('image, MB', Math.round(bytes / 1e6))
    expect(bytes).toBeLessThanOrEqual(mostBytes)
    expect(config.User).toBe('10001:10001')

    const port = await freePort()
    const program = await start(run, place, config, ['DEMO=true', 'HOST=127.0.0.1', `PORT=${port}`])
    const since = performance.now()
    const ask = (way: string) => fetch(`http://127.0.0.1:${port}${way}`).catch(() => undefined)
    const answers = async (way: string): Promise<void> => {
      while (!(await ask(way))?.ok) {
        if (!program.isRunning() || performance.now() - since > mostTime)
          throw new Error(`The image does not answer: ${program.output()}\n${await waysIn(place)}`)
        await sleep(100)
      }
    }
    await answers('/api/public/live')
    run.figure('first answer, s', ((performance.now() - since) / 1000).toFixed(1))
    await answers('/api/public/ready')
    run.figure('ready, with the demonstration made, s', Math.round((performance.now() - since) / 1000))
    const page = await ask('/')
    expect(await page?.text()).toContain('<script type="module"')

    // The server is the first process there, and hears the signal that ends the image.
    const [, first = 0] = processTree(program.pid)
    const ordered = performance.now()
    signalAll([first], 'SIGTERM')
    expect(await program.ended).toBe(0)
    run.figure('ended in order, s', ((performance.now() - ordered) / 1000).toFixed(1))
  },
)
