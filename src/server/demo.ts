import { seedDemo } from '../demo/index.ts'
import { NotEmpty, seedNational } from '../demo/national.ts'
import { demoPassword, readConfig } from '../platform/config/config.ts'
import { buildApp } from './app.ts'

const told = process.argv.slice(2).join(' ')
const isNational = /\bnational\b/.test(told)
const asked = /--candidates[= ](\d+)/.exec(told)
const candidates = asked ? Number(asked[1]) : isNational ? 200_000 : 300

// Fills the configured database with the demonstration: `npm run demo -- --candidates 12000`, or with one exam of a nation and
// nothing else: `npm run demo -- national --candidates 2000000`.
const config = readConfig()
const adminPassword = config.adminPassword ?? (config.demo ? demoPassword : undefined)
const app = await buildApp({ ...config, adminPassword, demo: false })
const began = Date.now()
const tell = (line: string) => console.log(line)
try {
  const made = isNational ? await seedNational(app, { candidates, tell }) : await seedDemo(app, { candidates, tell })
  console.log(
    made
      ? `完成，用时 ${((Date.now() - began) / 1000).toFixed(1)} 秒`
      : '演示数据已存在，未作改动；如需重建请先清空 DATA_DIR',
  )
} catch (error) {
  if (!(error instanceof NotEmpty)) throw error
  console.error(error.message)
  process.exitCode = 1
} finally {
  await app.close()
}
