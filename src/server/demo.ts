import { seedDemo } from '../demo/index.ts'
import { demoPassword, readConfig } from '../platform/config/config.ts'
import { buildApp } from './app.ts'

const asked = /--candidates[= ](\d+)/.exec(process.argv.slice(2).join(' '))
const candidates = asked ? Number(asked[1]) : 300

// Fills the configured database with the demonstration: `npm run demo -- --candidates 12000`.
const config = readConfig()
const adminPassword = config.adminPassword ?? (config.demo ? demoPassword : undefined)
const app = await buildApp({ ...config, adminPassword, demo: false })
const began = Date.now()
const made = await seedDemo(app, { candidates, tell: line => console.log(line) })
console.log(
  made
    ? `完成，用时 ${((Date.now() - began) / 1000).toFixed(1)} 秒`
    : '演示数据已存在，未作改动；如需重建请先清空 DATA_DIR',
)
await app.close()
