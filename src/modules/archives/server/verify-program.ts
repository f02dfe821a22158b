/**
 * The program that lies in every archive and says whether the archive is as it was made. It needs Node alone, and speaks of files by
 * their paths: `node verify.mjs` in the unpacked folder.
 */
export const verifyProgram = String.raw`// node verify.mjs : is this archive as it was made?
import { createHash, createPublicKey, verify } from 'node:crypto'
import { createReadStream, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const root = path.dirname(fileURLToPath(import.meta.url))
const problems = []
const read = name => readFileSync(path.join(root, name))
const digest = async (name, algorithm) => {
  const hash = createHash(algorithm)
  for await (const part of createReadStream(path.join(root, name))) hash.update(part)
  return hash.digest('hex')
}
const manifest = name => new Map(read(name).toString('utf8').split('\n').filter(Boolean)
  .map(line => [line.slice(66), line.slice(0, 64)]))

const publicKey = createPublicKey(read('public-key.pem'))
const mark = createHash('sha256').update(publicKey.export({ type: 'spki', format: 'der' })).digest('hex')
if (!verify(null, read('MANIFEST.sha256'), publicKey, Buffer.from(read('MANIFEST.sig').toString('utf8').trim(), 'base64')))
  problems.push('签名不符 / signature does not match: MANIFEST.sha256')

const listed = manifest('MANIFEST.sha256')
const sm3 = manifest('MANIFEST.sm3')
const own = new Set(['MANIFEST.sha256', 'MANIFEST.sm3', 'MANIFEST.sig'])
const there = new Set(readdirSync(root, { recursive: true, withFileTypes: true })
  .filter(one => !one.isDirectory())
  .map(one => path.relative(root, path.join(one.parentPath ?? one.path, one.name)).split(path.sep).join('/')))
for (const name of there) if (!listed.has(name) && !own.has(name)) problems.push('多出文件 / added: ' + name)
for (const [name, hash] of listed) {
  if (!there.has(name)) { problems.push('缺少文件 / missing: ' + name); continue }
  if (await digest(name, 'sha256') !== hash) problems.push('内容已改 / changed: ' + name)
}
for (const name of listed.keys()) if (!sm3.has(name)) problems.push('SM3 清单缺少 / not in MANIFEST.sm3: ' + name)
try {
  for (const [name, hash] of sm3) if (there.has(name) && await digest(name, 'sm3') !== hash) problems.push('SM3 不符 / SM3 differs: ' + name)
} catch { console.log('SM3: 本机 Node 不支持，已跳过 / not supported by this Node, left out') }

const lines = async name => {
  let count = 0
  for await (const line of createInterface({ input: createReadStream(path.join(root, name)), crlfDelay: Infinity })) if (line) count++
  return count
}
if (there.has('tables/counts.json'))
  for (const [table, count] of Object.entries(JSON.parse(read('tables/counts.json').toString('utf8')))) {
    const name = 'tables/' + table + '.jsonl'
    if (there.has(name) && await lines(name) !== count) problems.push('行数不符 / rows differ: ' + name)
  }

for (const name of there) {
  if (!/^logs\/.*\.jsonl$/.test(name)) continue
  const last = new Map()
  for await (const line of createInterface({ input: createReadStream(path.join(root, name)), crlfDelay: Infinity })) {
    if (!line) continue
    const { chain, seq, prevHash, hash } = JSON.parse(line)
    if (hash === undefined) continue
    const before = last.get(chain)
    const follows = before && (seq === undefined || seq === before.seq + 1)
    if (follows && before.hash !== prevHash) { problems.push('链断开 / chain broken: ' + name + ' ' + (seq ?? '')); break }
    last.set(chain, { seq, hash })
  }
}

console.log('公钥指纹 / key fingerprint (SHA-256): ' + mark)
if (problems.length === 0) console.log('通过 / OK: ' + listed.size)
else {
  for (const one of problems) console.log(one)
  process.exitCode = 1
}
`
