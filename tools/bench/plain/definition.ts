/** A resource as the README adds one: what is stored and what is offered, as texts for a copy of the program. */
export const files: Readonly<Record<string, string>> = {
  'schemas/exams/device.ts': `
import { date, dateTime, decimal, dict, dictionary, entity, flag, integer, longText, money, optional, ref, type Row, text } from '#engine'
export const deviceKind = dictionary('device_kind', '设备类型', { computer: [1, '电脑'], printer: [2, '打印机'], scanner: [3, '扫描仪'], camera: [4, '摄像头'], clock: [5, '时钟'], other: [6, '其他'] })
export const deviceGrade = dictionary('device_grade', '设备等级', { best: [1, '一级'], good: [2, '二级'], fair: [3, '三级'], poor: [4, '四级'] })
export const Device = entity('device', '设备', {
  deviceNo: text('设备编号', { maxLength: 30, unique: true }),
  deviceName: text('设备名称', { maxLength: 60 }),
  kind: dict('类型', deviceKind),
  grade: dict('等级', deviceGrade),
  deptId: ref('存放部门', 'dept'),
  model: text('型号', { maxLength: 40 }),
  maker: text('厂家', { maxLength: 60 }),
  serialNo: optional(text('出厂编号', { maxLength: 40 })),
  quantity: integer('数量', { minimum: 1, maximum: 10000 }),
  power: integer('功率', { minimum: 0, maximum: 100000 }),
  price: money('单价'),
  weight: decimal('重量'),
  width: integer('宽度', { minimum: 0 }),
  height: integer('高度', { minimum: 0 }),
  depth: integer('深度', { minimum: 0 }),
  bought: date('购置日期'),
  warranty: optional(date('保修期至')),
  checkTime: dateTime('检查时间'),
  keeper: text('保管人', { maxLength: 30 }),
  contact: text('联系方式', { maxLength: 30 }),
  place: text('存放位置', { maxLength: 100 }),
  barcode: text('条码', { maxLength: 40 }),
  isSpare: flag('备用', { default: 0 }),
  note: optional(longText('说明')),
  remark: optional(text('备注')),
})
export type Device = Row<typeof Device>
declare module '#engine' { interface Entities { device: typeof Device } }
`,
  'resources/exams/device.ts': `
import { resource } from '#engine'
import { Device } from '../../schemas/exams/device.ts'
export const device = resource(Device, {
  path: '/blade-exam/device',
  search: ['deviceName', 'kind', 'grade', 'bought', 'createTime'],
})
`,
}

/** What the tables of contents get. */
export const lines: Readonly<Record<string, string>> = {
  'schemas/all.ts': `export * from './exams/device.ts'`,
  'resources/exams/index.ts': `export * from './device.ts'`,
}

/** Below `/api`, the same of both servers. */
export const path = '/api/blade-exam/device'
