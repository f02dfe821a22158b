import { readConfig } from '../platform/config/config.ts'
import { countOld, countSealed, type KeyRoom, rotateKeys } from '../platform/vault/key-rotation.ts'
import { buildApp } from './app.ts'

// Tells which key has sealed what: `npm run keys`. With `-- rotate` gives the installation a new one and seals everything
// with it, while servers run. Ends with 1 when something could not be sealed again.

/** Rotates, and tells what was done and what is left. */
async function rotate(room: KeyRoom): Promise<void> {
  const { isNew, version, changed } = await rotateKeys(room)
  const what = isNew ? `已启用第${version}版密钥` : `上次的更换已继续完成（第${version}版密钥），再运行一次即更换新密钥`
  console.log(`${what}，重新加密${changed}项`)
  const old = await countOld(room)
  for (const { table, column, version: by, count } of old)
    console.log(`${table}.${column}：${count}项仍为第${by}版，无法解密`)
  if (old.length > 0) process.exitCode = 1
}

/** Tells how many texts of each column each version has sealed. */
async function tell(room: KeyRoom): Promise<void> {
  console.log(`使用中的密钥：第${room.secrets.version('vault')}版`)
  for (const { table, column, version, count } of await countSealed(room))
    console.log(`${table}.${column}：第${version}版${count}项`)
}

const app = await buildApp({ ...readConfig(), demo: false, jobs: false, checksFiles: false })
try {
  await (process.argv[2] === 'rotate' ? rotate(app) : tell(app))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  await app.close()
}
