(define (problem strange_2)
(:domain alfred)
(:objects
    agent1 - agent
    loc_bar_minus_0_bar_4 - location
    loc_bar_1_bar_6 - location
    loc_bar_2_bar_3 - location
    loc_bar_3_bar_4 - location
    loc_bar_minus_4_bar_5 - location
    Cabinet_bar__plus_26_dot_48_bar__plus_80_dot_61 - receptacle
    Drawer_bar__minus_56_dot_36_bar__plus_83_dot_27 - receptacle
    Bathtub_bar__minus_05_dot_30_bar__plus_53_dot_34_bar_BathtubBasin - receptacle
    DeskLamp_bar__minus_27_dot_55_bar__minus_85_dot_64 - object
    Mug_bar__minus_71_dot_67_bar__plus_25_dot_02 - object
    Box_bar__plus_41_dot_25_bar__plus_84_dot_11 - object
    Egg_bar__plus_00_dot_53_bar__plus_68_dot_60 - object
    Mug_bar__minus_74_dot_03_bar__minus_26_dot_22 - object
    Curtains_bar__minus_73_dot_02_bar__minus_65_dot_21 - object
    Cloth_bar__plus_02_dot_18_bar__minus_27_dot_97 - object
    Bowl_bar__minus_54_dot_29_bar__minus_29_dot_79 - object
    BowlType - otype
    BoxType - otype
    ClothType - otype
    CurtainsType - otype
    DeskLampType - otype
    EggType - otype
    MugType - otype
    BathtubBasinType - rtype
    CabinetType - rtype
    DrawerType - rtype
    Window - object)
(:init
    (atLocation agent1 loc_bar_1_bar_6)
    (canContain BathtubBasinType BowlType)
    (canContain BathtubBasinType BoxType)
    (canContain BathtubBasinType ClothType)
    (canContain BathtubBasinType CurtainsType)
    (canContain BathtubBasinType DeskLampType)
    (canContain BathtubBasinType EggType)
    (canContain BathtubBasinType MugType)
    (canContain CabinetType BowlType)
    (canContain CabinetType BoxType)
    (canContain CabinetType ClothType)
    (canContain CabinetType CurtainsType)
    (canContain CabinetType DeskLampType)
    (canContain CabinetType EggType)
    (canContain CabinetType MugType)
    (canContain DrawerType BoxType)
    (canContain DrawerType ClothType)
    (canContain DrawerType CurtainsType)
    (canContain DrawerType DeskLampType)
    (canContain DrawerType MugType)
    (receptacleAtLocation Cabinet_bar__plus_26_dot_48_bar__plus_80_dot_61 loc_bar_1_bar_6)
    (receptacleType Cabinet_bar__plus_26_dot_48_bar__plus_80_dot_61 CabinetType)
    (openable Cabinet_bar__plus_26_dot_48_bar__plus_80_dot_61)
    (receptacleAtLocation Drawer_bar__minus_56_dot_36_bar__plus_83_dot_27 loc_bar_minus_4_bar_5)
    (receptacleType Drawer_bar__minus_56_dot_36_bar__plus_83_dot_27 DrawerType)
    (openable Drawer_bar__minus_56_dot_36_bar__plus_83_dot_27)
    (receptacleAtLocation Bathtub_bar__minus_05_dot_30_bar__plus_53_dot_34_bar_BathtubBasin loc_bar_1_bar_6)
    (receptacleType Bathtub_bar__minus_05_dot_30_bar__plus_53_dot_34_bar_BathtubBasin BathtubBasinType)
    (objectType DeskLamp_bar__minus_27_dot_55_bar__minus_85_dot_64 DeskLampType)
    (inReceptacle DeskLamp_bar__minus_27_dot_55_bar__minus_85_dot_64 Drawer_bar__minus_56_dot_36_bar__plus_83_dot_27)
    (inReceptacle DeskLamp_bar__minus_27_dot_55_bar__minus_85_dot_64 Bathtub_bar__minus_05_dot_30_bar__plus_53_dot_34_bar_BathtubBasin)
    (objectAtLocation DeskLamp_bar__minus_27_dot_55_bar__minus_85_dot_64 loc_bar_2_bar_3)
    (pickupable DeskLamp_bar__minus_27_dot_55_bar__minus_85_dot_64)
    (heatable DeskLamp_bar__minus_27_dot_55_bar__minus_85_dot_64)
    (sliceable DeskLamp_bar__minus_27_dot_55_bar__minus_85_dot_64)
    (toggleable DeskLamp_bar__minus_27_dot_55_bar__minus_85_dot_64)
    (isCool DeskLamp_bar__minus_27_dot_55_bar__minus_85_dot_64)
    (objectType Mug_bar__minus_71_dot_67_bar__plus_25_dot_02 MugType)
    (inReceptacle Mug_bar__minus_71_dot_67_bar__plus_25_dot_02 Cabinet_bar__plus_26_dot_48_bar__plus_80_dot_61)
    (objectAtLocation Mug_bar__minus_71_dot_67_bar__plus_25_dot_02 loc_bar_minus_0_bar_4)
    (pickupable Mug_bar__minus_71_dot_67_bar__plus_25_dot_02)
    (cleanable Mug_bar__minus_71_dot_67_bar__plus_25_dot_02)
    (heatable Mug_bar__minus_71_dot_67_bar__plus_25_dot_02)
    (coolable Mug_bar__minus_71_dot_67_bar__plus_25_dot_02)
    (objectType Box_bar__plus_41_dot_25_bar__plus_84_dot_11 BoxType)
    (inReceptacle Box_bar__plus_41_dot_25_bar__plus_84_dot_11 Cabinet_bar__plus_26_dot_48_bar__plus_80_dot_61)
    (objectAtLocation Box_bar__plus_41_dot_25_bar__plus_84_dot_11 loc_bar_2_bar_3)
    (cleanable Box_bar__plus_41_dot_25_bar__plus_84_dot_11)
    (heatable Box_bar__plus_41_dot_25_bar__plus_84_dot_11)
    (coolable Box_bar__plus_41_dot_25_bar__plus_84_dot_11)
    (sliceable Box_bar__plus_41_dot_25_bar__plus_84_dot_11)
    (isHot Box_bar__plus_41_dot_25_bar__plus_84_dot_11)
    (isSliced Box_bar__plus_41_dot_25_bar__plus_84_dot_11)
    (isReceptacleObject Box_bar__plus_41_dot_25_bar__plus_84_dot_11)
    (inReceptacleObject Curtains_bar__minus_73_dot_02_bar__minus_65_dot_21 Box_bar__plus_41_dot_25_bar__plus_84_dot_11)
    (inReceptacleObject Egg_bar__plus_00_dot_53_bar__plus_68_dot_60 Box_bar__plus_41_dot_25_bar__plus_84_dot_11)
    (objectType Egg_bar__plus_00_dot_53_bar__plus_68_dot_60 EggType)
    (inReceptacle Egg_bar__plus_00_dot_53_bar__plus_68_dot_60 Drawer_bar__minus_56_dot_36_bar__plus_83_dot_27)
    (objectAtLocation Egg_bar__plus_00_dot_53_bar__plus_68_dot_60 loc_bar_3_bar_4)
    (pickupable Egg_bar__plus_00_dot_53_bar__plus_68_dot_60)
    (heatable Egg_bar__plus_00_dot_53_bar__plus_68_dot_60)
    (toggleable Egg_bar__plus_00_dot_53_bar__plus_68_dot_60)
    (objectType Mug_bar__minus_74_dot_03_bar__minus_26_dot_22 MugType)
    (inReceptacle Mug_bar__minus_74_dot_03_bar__minus_26_dot_22 Drawer_bar__minus_56_dot_36_bar__plus_83_dot_27)
    (objectAtLocation Mug_bar__minus_74_dot_03_bar__minus_26_dot_22 loc_bar_3_bar_4)
    (heatable Mug_bar__minus_74_dot_03_bar__minus_26_dot_22)
    (coolable Mug_bar__minus_74_dot_03_bar__minus_26_dot_22)
    (sliceable Mug_bar__minus_74_dot_03_bar__minus_26_dot_22)
    (objectType Curtains_bar__minus_73_dot_02_bar__minus_65_dot_21 CurtainsType)
    (inReceptacle Curtains_bar__minus_73_dot_02_bar__minus_65_dot_21 Drawer_bar__minus_56_dot_36_bar__plus_83_dot_27)
    (objectAtLocation Curtains_bar__minus_73_dot_02_bar__minus_65_dot_21 loc_bar_minus_0_bar_4)
    (pickupable Curtains_bar__minus_73_dot_02_bar__minus_65_dot_21)
    (cleanable Curtains_bar__minus_73_dot_02_bar__minus_65_dot_21)
    (heatable Curtains_bar__minus_73_dot_02_bar__minus_65_dot_21)
    (sliceable Curtains_bar__minus_73_dot_02_bar__minus_65_dot_21)
    (toggleable Curtains_bar__minus_73_dot_02_bar__minus_65_dot_21)
    (objectType Cloth_bar__plus_02_dot_18_bar__minus_27_dot_97 ClothType)
    (inReceptacle Cloth_bar__plus_02_dot_18_bar__minus_27_dot_97 Bathtub_bar__minus_05_dot_30_bar__plus_53_dot_34_bar_BathtubBasin)
    (objectAtLocation Cloth_bar__plus_02_dot_18_bar__minus_27_dot_97 loc_bar_minus_0_bar_4)
    (pickupable Cloth_bar__plus_02_dot_18_bar__minus_27_dot_97)
    (cleanable Cloth_bar__plus_02_dot_18_bar__minus_27_dot_97)
    (heatable Cloth_bar__plus_02_dot_18_bar__minus_27_dot_97)
    (sliceable Cloth_bar__plus_02_dot_18_bar__minus_27_dot_97)
    (toggleable Cloth_bar__plus_02_dot_18_bar__minus_27_dot_97)
    (objectType Bowl_bar__minus_54_dot_29_bar__minus_29_dot_79 BowlType)
    (inReceptacle Bowl_bar__minus_54_dot_29_bar__minus_29_dot_79 Cabinet_bar__plus_26_dot_48_bar__plus_80_dot_61)
    (pickupable Bowl_bar__minus_54_dot_29_bar__minus_29_dot_79)
    (heatable Bowl_bar__minus_54_dot_29_bar__minus_29_dot_79)
    (coolable Bowl_bar__minus_54_dot_29_bar__minus_29_dot_79)
    (isReceptacleObject Bowl_bar__minus_54_dot_29_bar__minus_29_dot_79)
    (inReceptacleObject Curtains_bar__minus_73_dot_02_bar__minus_65_dot_21 Bowl_bar__minus_54_dot_29_bar__minus_29_dot_79)
    (inReceptacleObject Egg_bar__plus_00_dot_53_bar__plus_68_dot_60 Bowl_bar__minus_54_dot_29_bar__minus_29_dot_79)
    (inReceptacleObject Box_bar__plus_41_dot_25_bar__plus_84_dot_11 Bowl_bar__minus_54_dot_29_bar__minus_29_dot_79))
(:goal (and (exists (?r - receptacle) (exists (?o - object) (and (inReceptacle ?o ?r) (objectType ?o CurtainsType) (receptacleType ?r BathtubBasinType)))))))
