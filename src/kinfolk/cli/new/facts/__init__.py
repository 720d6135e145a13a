"""What a repository says about its library, as pure functions over its files.

`markdown_facts` reads a README, `package_facts` manifests of packages, `look_facts` colors and logos, `logo_drawing`
makes a logo of one color. `repository_facts` joins them with the docs that `import_site` found.
"""
