import { clearDemo, lockDemo } from '../platform/accounts/server/leave-demo.ts'
import { readConfig } from '../platform/config/config.ts'
import { buildApp } from './app.ts'

// Makes an installation that began as a demo one for use: `npm run leave-demo -- lock` keeps the data, disables the accounts
// of the demo and gives the administrator ADMIN_PASSWORD, or a random password that is printed once;
// `npm run leave-demo -- clear --yes` deletes everything.

const [command, ...rest] = process.argv.slice(2)
const usage = [
  'npm run leave-demo -- lock         保留数据，停用演示账号，管理员换新密码',
  'npm run leave-demo -- clear --yes  删除全部数据和文件（不可恢复），下次启动即为新安装',
].join('\n')

const app = await buildApp({ ...readConfig(), demo: false, jobs: false })
try {
  if (command === 'lock') {
    const { disabled, administrator } = await lockDemo(app)
    console.log(`已停用${disabled}个演示账号`)
    if (!administrator) console.log('管理员 admin 的密码不是演示密码，未作改动')
    else if (!administrator.mustChange) console.log('管理员 admin 的密码已改为 ADMIN_PASSWORD')
    else console.log(`管理员 admin 的新密码：${administrator.password}（只显示这一次，登录后须修改）`)
  } else if (command === 'clear' && rest.includes('--yes')) {
    const outcome = await clearDemo(app)
    const told = {
      cleared: '已清空，下次启动即为新安装',
      'no demo': '这里没有演示数据，未作改动',
      'in use': '其他进程正在使用该数据库，请先停止服务',
    }
    console.log(told[outcome])
    if (outcome !== 'cleared') process.exitCode = 1
  } else {
    console.log(usage)
    process.exitCode = 1
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  await app.close()
}
