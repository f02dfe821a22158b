import { sheet } from '#engine'
import { Examroom } from '../../schemas/exams/examroom.ts'
import { School } from '../../schemas/exams/school.ts'

const { schoolCode, schoolName, address } = School.properties

/** Sites and rooms of a stage. */
export const roomSheet = sheet(Examroom, {
  title: '考点考场',
  version: 'examroom-1',
  fixed: ['itemId'],
  key: ['schoolCode', 'roomNo'],
  extra: { schoolCode, schoolName, address },
  columns: [
    { field: 'schoolCode', title: '考点代码', width: 12 },
    { field: 'schoolName', title: '名称', width: 28, help: '考点名称；代码已存在时以此更新名称' },
    { field: 'address', required: true, width: 36 },
    { field: 'roomNo', width: 10 },
    'roomName',
    { field: 'rows', title: '排', width: 8 },
    { field: 'cols', title: '列', width: 8 },
    { field: 'capacity', width: 10, help: '1 到 99，默认 30' },
    { field: 'reserve', title: '预留', width: 8 },
    { field: 'subject', width: 12, help: '只坐该科目的考生；空 = 不限' },
    { field: 'isSpecial', title: '特殊', width: 8 },
  ],
})
