"""Makes an extension for Visual Studio Code of editors/vscode: a .vsix file is a ZIP with the extension, its manifest and the
types of its files. Needs only Python's standard library.

usage: vsix.py EDITORS_FOLDER LICENSE FILE.vsix"""
import json
import os
import sys
import zipfile
from xml.sax.saxutils import escape, quoteattr

TYPES = {'.json': 'application/json', '.js': 'application/javascript', '.md': 'text/markdown',
         '.txt': 'text/plain', '.vsixmanifest': 'text/xml'}
LEFT_OUT = {'.vscodeignore'}
WHEN = (1980, 1, 1, 0, 0, 0)  # the same bytes, whenever it is made


def manifest(package):
    engine = package['engines']['vscode']
    return f'''<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011"
 xmlns:d="http://schemas.microsoft.com/developer/vsx-schema-design/2011">
  <Metadata>
    <Identity Language="en-US" Id={quoteattr(package['name'])} Version={quoteattr(package['version'])}
     Publisher={quoteattr(package['publisher'])}/>
    <DisplayName>{escape(package['displayName'])}</DisplayName>
    <Description xml:space="preserve">{escape(package['description'])}</Description>
    <Categories>{escape(','.join(package['categories']))}</Categories>
    <License>extension/LICENSE.txt</License>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value={quoteattr(engine)}/>
      <Property Id="Microsoft.VisualStudio.Code.ExtensionKind" Value="workspace"/>
    </Properties>
  </Metadata>
  <Installation>
    <InstallationTarget Id="Microsoft.VisualStudio.Code"/>
  </Installation>
  <Dependencies/>
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.License" Path="extension/LICENSE.txt" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true"/>
  </Assets>
</PackageManifest>
'''


def content_types():
    rows = ''.join(f'<Default Extension="{ending}" ContentType="{kind}"/>' for ending, kind in sorted(TYPES.items()))
    return ('<?xml version="1.0" encoding="utf-8"?>\n<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
            f'{rows}</Types>\n')


def files_of(folder):
    for parent, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(set(names) - LEFT_OUT):
            path = os.path.join(parent, name)
            if os.path.splitext(name)[1] not in TYPES:
                raise SystemExit(f'vsix.py: {path}: a file of a type that is not known')
            yield path, os.path.relpath(path, folder)


def main():
    editors, license_path, made = sys.argv[1:]
    folder = os.path.join(editors, 'vscode')
    with open(os.path.join(folder, 'package.json'), encoding='utf-8') as file:
        package = json.load(file)
    parts = [('[Content_Types].xml', content_types()), ('extension.vsixmanifest', manifest(package))]
    for path, name in [*files_of(folder), (license_path, 'LICENSE.txt'), (os.path.join(editors, 'README.md'), 'README.md')]:
        with open(path, encoding='utf-8') as file:
            parts.append((f'extension/{name}', file.read()))
    with zipfile.ZipFile(made, 'w', zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts:
            archive.writestr(zipfile.ZipInfo(name, WHEN), text, zipfile.ZIP_DEFLATED)


if __name__ == '__main__':
    main()
