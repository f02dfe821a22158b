import { resource } from '#engine'
import { Examsignfiles } from '../../schemas/exam/examsignfiles.ts'

export const examsignfiles = resource(Examsignfiles, {
  path: '/blade-signfiles/examsignfiles',
  route: '/exam/signfiles',
  columns: [
    'examId',
    'fileCode',
    'fileName',
    'fileDesc',
    'required',
    'maxNum',
    'maxSize',
    'exts',
    'isPhoto',
    'sort',
    'enable',
  ],
  search: ['examId', 'fileName', 'enable', 'createTime'],
  sort: 'sort',
  exam: 'examId',
})
