/** The recruiting units of the demonstration: key in dictionary `recruit_unit` and name. */
export const units: readonly (readonly [key: string, name: string])[] = [
  '区人民医院',
  '区中医院',
  '区妇幼保健院',
  '区疾病预防控制中心',
  '区卫生健康监督所',
  '区精神卫生中心',
  '区急救中心',
  '区中心血站',
  ...'东街 西门 南塘 北苑 清河 安民 福山 锦江 桂园 梅林 望湖 青云 翠屏 金桥 银杏 石塔 白马 凤凰 临江 双溪 红旗 新民 长乐 永安 太平 仁和 崇文 明德 兴业 广福 星桥 云岭'
    .split(' ')
    .map(name => `${name}社区卫生服务中心`),
].map((name, i) => [`U${String(i + 1).padStart(2, '0')}`, `清源${name}`] as const)

/** What a kind of position asks for. */
interface PositionKind {
  type: string
  name: string
  education: string
  degree: string
  majors: string
  subject: string
  certificate: string | null
}

const kinds: readonly PositionKind[] = [
  {
    type: '01',
    name: '临床医师',
    education: '30',
    degree: '3',
    majors: '临床医学',
    subject: '02',
    certificate: '执业医师资格证',
  },
  {
    type: '02',
    name: '护士',
    education: '40',
    degree: '',
    majors: '护理学、助产学、护理',
    subject: '03',
    certificate: '护士执业资格证',
  },
  {
    type: '03',
    name: '药师',
    education: '30',
    degree: '3',
    majors: '药学、临床药学、中药学',
    subject: '04',
    certificate: null,
  },
  {
    type: '04',
    name: '检验技师',
    education: '30',
    degree: '',
    majors: '医学检验技术、医学检验',
    subject: '05',
    certificate: null,
  },
  {
    type: '05',
    name: '影像医师',
    education: '30',
    degree: '3',
    majors: '医学影像学、放射医学',
    subject: '02',
    certificate: null,
  },
  {
    type: '06',
    name: '公共卫生医师',
    education: '30',
    degree: '3',
    majors: '预防医学',
    subject: '02',
    certificate: null,
  },
  { type: '07', name: '办公室职员', education: '30', degree: '3', majors: '', subject: '01', certificate: null },
  {
    type: '08',
    name: '信息技术员',
    education: '30',
    degree: '',
    majors: '计算机科学与技术、软件工程、信息管理与信息系统',
    subject: '01',
    certificate: null,
  },
]

/** A position of the demonstration with the kind it is of. */
export interface DemoPosition extends PositionKind {
  unit: string
  code: string
  planNum: number
  maxSignup: number | null
}

/** Forty positions, one for each unit. `offset` makes each exam's a little different. */
export function positions(offset: number): DemoPosition[] {
  return units.map(([unit], i) => {
    const kind = kinds[(i * 3 + offset) % kinds.length] as PositionKind
    return {
      ...kind,
      unit,
      code: String(i + 1).padStart(4, '0'),
      planNum: 1 + ((i + offset) % 3),
      maxSignup: i === 5 ? 3 : null,
    }
  })
}
